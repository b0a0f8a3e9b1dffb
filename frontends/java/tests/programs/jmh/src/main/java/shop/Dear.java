package shop;

public class Dear extends Base {
    @Override
    int price() {
        return 9;
    }
}
