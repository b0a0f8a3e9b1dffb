use super::journal::Journal;
use super::{begun, here};
use crate::request::Settings;
use tare_engine::Budget;
use tare_model::Effort;

#[test]
fn what_is_resumed_has_the_amount_that_it_began_with() {
    let command: Vec<String> = "tare bisect a b --long --budget 9s/case".split(' ').map(str::to_owned).collect();
    let ends = ["a", "b"].map(str::to_owned);
    let journal = Journal::new(command, here().expect("a folder"), ends, "7f3a".to_owned());
    let begun = begun(&Settings::default(), &journal).expect("settings");
    assert_eq!((begun.amount.effort, begun.amount.budget), (Effort::Long, Some(Budget::PerCase(9.0))));
    assert_eq!(begun.request.words(), journal.command, "its runs keep the command that can be given again");
}
