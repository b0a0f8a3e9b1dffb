use super::journal::Journal;
use super::{begun, here};
use crate::args::{Cli, Command};
use clap::Parser;

/// What it measured before and after an interruption must be as much.
#[test]
fn what_is_resumed_has_the_amount_that_it_began_with() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let Command::Bisect(args) = Cli::try_parse_from(words("tare bisect --resume 7f3a")).expect("arguments").command
    else {
        panic!("it is a bisection");
    };
    let ends = ["a", "b"].map(str::to_owned);
    let command = words("tare bisect a b --long --budget 9s");
    let journal = Journal::new(command, here().expect("a folder"), ends, "7f3a".to_owned());
    let (begun, request) = begun(&args, &journal).expect("arguments");
    assert!(begun.effort.long && begun.effort.budget.is_some());
    assert_eq!(request.words(), journal.command, "its runs keep the command that can be given again");
}
