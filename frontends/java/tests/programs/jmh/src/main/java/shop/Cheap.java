package shop;

public class Cheap extends Base {
    @Override
    int price() {
        return 1;
    }
}
