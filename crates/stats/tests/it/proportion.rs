use tare_stats::proportion::change;

#[test]
fn chance_is_no_change() {
    assert_eq!(change([100, 110], [1000, 1000]), None);
    assert!(change([100, 200], [1000, 1000]).is_some_and(|change| change > 0.0));
    assert!(change([200, 100], [1000, 1000]).is_some_and(|change| change < 0.0));
    assert_eq!((change([0, 1], [3, 3]), change([0, 0], [0, 0])), (None, None));
}
