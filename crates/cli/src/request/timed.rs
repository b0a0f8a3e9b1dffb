//! From the command line of `tare time` to the commands to measure.

use crate::args::{SurroundingArgs, TimeArgs};
use crate::failure::{quoted_list, Failure};
use crate::request;
use std::collections::HashSet;
use std::path::Path;
use tare_harness::command::{filled, product, shell_syntax, Command, Ignored, Sink, Spec};
use tare_model::text::{plural, split_words};
use tare_model::{ContextEntry, Parameter};
use tare_report::clean;

/// Numbers of launches that fill whole waves.
const LAUNCHES: [u32; 7] = [8, 9, 10, 12, 14, 15, 16];
/// Number of launches when there are many runs.
const LAUNCHES_USUAL: u32 = 12;
const SHELL: &str = "sh";
/// Maximum number of commands, counting all parameter values.
const COMMANDS_MAX: usize = 2_000;

/// The command line in the form that the child takes.
#[derive(Debug, Default)]
pub struct Timed {
    pub spec: Spec,
    /// Why a shell is used although none was requested.
    why_shell: Option<String>,
    pub runs: Option<u32>,
    /// A command is compared with itself at other values of its parameters.
    pub of_parameters: bool,
    pub baseline: Option<Parameter>,
    pub context: Vec<ContextEntry>,
}

impl Timed {
    pub fn of(args: &TimeArgs) -> Result<Timed, Failure> {
        let baseline_value = baseline_value(args)?;
        let all = commands(args, baseline_value.is_none())?;
        let (shell, why_shell) = shell(&args.surroundings, &all)?;
        let spec = Spec {
            commands: all,
            shell,
            ignored: args.surroundings.ignore_failure.clone().unwrap_or(Ignored::None),
            warm_ups: args.effort.warmup,
        };
        let of_parameters = args.commands.len() == 1 && !args.param.is_empty();
        let first = || args.param.first().filter(|_| of_parameters && args.param.len() == 1);
        let baseline =
            baseline_value.or_else(|| first().and_then(|(n, values)| Some(Parameter::new(n, values.first()?))));
        let (runs, context) = (args.effort.runs, request::context(&args.context)?);
        Ok(Timed { spec, why_shell, runs, of_parameters, baseline, context })
    }

    pub fn notes(&self) -> Vec<String> {
        let runs = self.runs.map(|runs| (runs, launches_and_rounds(runs)));
        let runs =
            runs.filter(|(runs, (launches, rounds))| launches * rounds != *runs).map(|(runs, (launches, rounds))| {
                format!("`--runs {runs}` is rounded up to {} to fill waves", launches * rounds)
            });
        let shell = self.why_shell.as_ref().map(|why| {
            clean(&format!("`sh` runs the commands, because {why}; its start is subtracted from the times"))
        });
        runs.into_iter().chain(shell).collect()
    }
}

fn usage<T>(what: impl Into<String>, hint: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Usage { what: clean(&what.into()), hint: clean(&hint.into()) })
}

/// The value that `--baseline n=4` names.
fn baseline_value(args: &TimeArgs) -> Result<Option<Parameter>, Failure> {
    let named = args.baseline.as_deref().and_then(|text| text.split_once('='));
    let of_name = |name: &str| args.param.iter().find(|(known, _)| known == name);
    let Some((name, value, values)) = named.and_then(|(name, value)| Some((name, value, &of_name(name)?.1))) else {
        return Ok(None);
    };
    if !values.iter().any(|known| known == value) {
        return usage(
            format!("`--baseline {name}={value}` is not a value of `--param {name}`"),
            format!("use one of {}", quoted_list(values)),
        );
    }
    Ok(Some(Parameter::new(name, value)))
}

fn commands(args: &TimeArgs, compares_commands: bool) -> Result<Vec<Command>, Failure> {
    let templates = &args.commands;
    let around = &args.surroundings;
    for (flag, given) in [
        ("--prepare", &around.prepare),
        ("--conclude", &around.conclude),
        ("--setup", &around.setup),
        ("--cleanup", &around.cleanup),
        ("--stdin", &around.stdin),
        ("--stdout", &around.stdout),
    ] {
        if given.len() > 1 && given.len() != templates.len() {
            return usage(
                format!("`{flag}` is given {} times for {}", given.len(), plural(templates.len(), "command")),
                "give it once for all commands, or once for each",
            );
        }
    }
    if args.name.len() > templates.len() {
        return usage(
            format!("{} names for {}", args.name.len(), plural(templates.len(), "command")),
            "leave out `--name` of the others",
        );
    }
    if let Some(empty) = templates.iter().find(|text| text.trim().is_empty()) {
        return usage(format!("the command `{empty}` is empty"), "`tare time -h` has examples");
    }
    let baseline = baseline(args, compares_commands)?;
    used(args)?;
    let choices = product(&args.param);
    if choices.len().saturating_mul(templates.len()) > COMMANDS_MAX {
        let count = choices.len().saturating_mul(templates.len());
        return usage(format!("{count} commands are more than {COMMANDS_MAX}"), "use fewer values of parameters");
    }
    let mut all: Vec<Command> = Vec::new();
    for choice in &choices {
        let mut names: HashSet<String> = HashSet::new();
        for at in 0..templates.len() {
            let command = command(args, at, choice, at == baseline);
            let name = (1..).map(|n| if n == 1 { command.name.clone() } else { format!("{} ({n})", command.name) });
            let name = { name }.find(|name| names.insert(name.clone())).unwrap_or_default();
            all.push(Command { name, ..command });
        }
    }
    Ok(all)
}

fn command(args: &TimeArgs, at: usize, choice: &[Parameter], baseline: bool) -> Command {
    let around = &args.surroundings;
    let of = |given: &[String]| given.get(at).or(given.first()).map(|text| filled(text, choice));
    let stdout = match of(&around.stdout).as_deref() {
        _ if around.show_output => Sink::Shown(std::process::id()),
        None | Some("null") => Sink::Null,
        Some("pipe") => Sink::Pipe,
        Some(path) => Sink::File(path.to_owned()),
    };
    Command {
        // The table shows the values separately.
        name: args.name.get(at).unwrap_or(&args.commands[at]).clone(),
        parameters: choice.to_vec(),
        baseline,
        text: filled(&args.commands[at], choice),
        prepare: of(&around.prepare),
        conclude: of(&around.conclude),
        set_up: of(&around.setup),
        clean_up: of(&around.cleanup),
        stdin: of(&around.stdin).filter(|path| path != "null"),
        stdout,
    }
}

/// The place of the command with which the others are compared.
fn baseline(args: &TimeArgs, compares_commands: bool) -> Result<usize, Failure> {
    let Some(asked) = args.baseline.as_deref().filter(|_| compares_commands) else { return Ok(0) };
    let by_text = args.name.iter().position(|name| name == asked);
    let by_text = by_text.or_else(|| args.commands.iter().position(|text| text == asked));
    let by_number = || asked.parse::<usize>().ok().filter(|n| (1..=args.commands.len()).contains(n)).map(|n| n - 1);
    match by_text.or_else(by_number) {
        Some(at) => Ok(at),
        None => usage(
            format!("`--baseline {asked}` is none of the commands"),
            format!("use a name, a number from 1, or one of {}", quoted_list(&args.commands)),
        ),
    }
}

/// Checks that every parameter is used and given once.
fn used(args: &TimeArgs) -> Result<(), Failure> {
    let around = &args.surroundings;
    let texts = [
        &args.commands,
        &around.prepare,
        &around.conclude,
        &around.setup,
        &around.cleanup,
        &around.stdin,
        &around.stdout,
    ];
    for (at, (name, _)) in args.param.iter().enumerate() {
        if args.param[..at].iter().any(|(earlier, _)| earlier == name) {
            return usage(
                format!("`--param {name}` is given twice"),
                format!("give all values at once: `--param {name}=1,2`"),
            );
        }
        let place = format!("{{{name}}}");
        if !texts.iter().flat_map(|texts| texts.iter()).any(|text| text.contains(&place)) {
            return usage(
                format!("`{place}` of `--param {name}` is in no command"),
                format!("write `{place}` where the value is to stand, such as `make -j {place}`"),
            );
        }
    }
    Ok(())
}

/// The shell that runs the commands, and the reason if none was requested.
fn shell(around: &SurroundingArgs, all: &[Command]) -> Result<(Vec<String>, Option<String>), Failure> {
    let needed = || all.iter().find_map(|command| Some((command, shell_syntax(&command.text)?)));
    let asked = if around.no_shell { Some("none") } else { around.shell.as_deref() };
    match asked {
        Some("none") => match needed() {
            Some((command, what)) => usage(
                format!("`{}` needs a shell for {what}", command.text),
                "leave out `--no-shell` or `--shell none`",
            ),
            None => Ok((Vec::new(), None)),
        },
        Some("default") => Ok((vec![SHELL.to_owned()], None)),
        Some(text) => {
            let shell = split_words(text).ok().filter(|words| !words.is_empty());
            let Some(shell) = shell else {
                return usage(format!("`--shell {text}` is no command"), "such as `--shell 'bash --norc'`");
            };
            request::check_program(&shell[0])?;
            Ok((shell, None))
        }
        None => Ok(match needed() {
            Some((command, what)) => (vec![SHELL.to_owned()], Some(format!("`{}` has {what}", command.text))),
            None => (Vec::new(), None),
        }),
    }
}

/// Checks that input files exist, and the programs of commands that run without a shell.
pub fn all_found(spec: &Spec) -> Result<(), Failure> {
    // The program may be made by the preparation.
    for command in spec.commands.iter().filter(|command| command.prepare.is_none()) {
        if let Some(path) = command.stdin.as_deref().filter(|path| !Path::new(path).exists()) {
            return usage(
                format!("`--stdin {path}`: there is no such file"),
                "give the path of a file that exists; `null` is no input",
            );
        }
    }
    if !spec.shell.is_empty() {
        return Ok(());
    }
    for command in &spec.commands {
        let Ok(words) = split_words(&command.text) else {
            return usage(format!("a quote of `{}` is not closed", command.text), "close it");
        };
        request::check_program(words.first().map_or("", String::as_str))?;
    }
    Ok(())
}

/// Launches and runs per launch for at least this many runs in total.
pub fn launches_and_rounds(runs: u32) -> (u32, u32) {
    if runs < LAUNCHES[0] {
        return (runs, 1);
    }
    let fits = |launches: &u32| (launches * runs.div_ceil(*launches), launches.abs_diff(LAUNCHES_USUAL));
    let launches = LAUNCHES.into_iter().min_by_key(fits).unwrap_or(LAUNCHES_USUAL);
    (launches, runs.div_ceil(launches))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command as Verb};
    use clap::Parser;
    use tare_engine::Amount;

    fn of(args: &[&str]) -> Result<Timed, String> {
        let cli = Cli::try_parse_from(["tare", "time"].iter().chain(args)).map_err(|error| error.to_string())?;
        let Verb::Time(args) = cli.command else { panic!("another command") };
        Timed::of(&args).map_err(|failure| failure.what())
    }

    fn texts(declared: &Timed) -> Vec<&str> {
        declared.spec.commands.iter().map(|command| command.text.as_str()).collect()
    }

    #[test]
    fn parameters_are_filled_in_everywhere() {
        let found =
            of(&["cp {f} x", "mv {f} x", "--param", "f=a,b", "--prepare", "touch {f}", "-n", "copy"]).expect("good");
        assert_eq!(texts(&found), ["cp a x", "mv a x", "cp b x", "mv b x"]);
        let third = &found.spec.commands[2];
        assert_eq!((third.name.as_str(), third.prepare.as_deref(), third.baseline), ("copy", Some("touch b"), true));
        assert!(!found.of_parameters && found.baseline.is_none() && found.spec.shell.is_empty());
    }

    #[test]
    fn one_command_is_compared_with_its_first_value_or_the_one_that_was_asked_for() {
        let value = |args: &[&str]| of(args).expect("good").baseline.map(|p| format!("{}={}", p.name, p.value));
        assert_eq!(value(&["make -j {n}", "--param", "n=1..3"]).as_deref(), Some("n=1"));
        assert_eq!(value(&["make -j {n}", "--param", "n=1..3", "--baseline", "n=2"]).as_deref(), Some("n=2"));
        assert_eq!(value(&["true {n} {m}", "--param", "n=1,2", "--param", "m=1,2"]), None);
        let second = of(&["true", "sleep 0", "--baseline", "2"]).expect("good");
        assert!(!second.spec.commands[0].baseline && second.spec.commands[1].baseline);
    }

    #[test]
    fn a_shell_runs_all_where_one_needs_it() {
        let found = of(&["sort x", "sort x | uniq"]).expect("good");
        assert_eq!(
            (found.spec.shell.join(" "), found.why_shell.as_deref()),
            ("sh".to_owned(), Some("`sort x | uniq` has `|`"))
        );
        assert_eq!(of(&["true", "--shell", "sh -e"]).expect("good").spec.shell, ["sh", "-e"]);
    }

    #[test]
    fn the_same_command_twice_has_two_names() {
        let found = of(&["true", "true"]).expect("good");
        assert_eq!(found.spec.commands.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["true", "true (2)"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (args, word) in [
            (&["a | b", "-N"][..], "needs a shell for `|`"),
            (&["true", "--param", "n=1"], "is in no command"),
            (&["true {n}", "--param", "n=1", "--param", "n=2"], "twice"),
            (&["true", "--prepare", "a", "--prepare", "b"], "given 2 times for 1 command"),
            (&["true", "-n", "a", "-n", "b"], "2 names for 1 command"),
            (&["true", "--baseline", "false"], "none of the commands"),
            (&["true {n}", "--param", "n=1,2", "--baseline", "n=3"], "not a value"),
            (&[" "], "empty"),
            (&["true {n}", "--param", "n=3..1"], "ends before"),
            (&["true", "--ignore-failure=x"], "numbers from 1 to 255"),
            (&["true", "--shell", "no-such-shell-of-anybody"], "not found"),
        ] {
            let error = of(args).err().unwrap_or_default();
            assert!(error.contains(word), "{args:?}: {error}");
        }
    }

    #[test]
    fn runs_are_as_many_as_asked_or_a_few_more() {
        for (runs, expected) in [(1, (1, 1)), (7, (7, 1)), (8, (8, 1)), (10, (10, 1)), (24, (12, 2)), (100, (10, 10))] {
            assert_eq!(launches_and_rounds(runs), expected, "{runs}");
        }
        for runs in 1..500 {
            let (launches, rounds) = launches_and_rounds(runs);
            assert!((runs..runs + 8).contains(&(launches * rounds)), "{runs}");
            let policy = Amount { launches: Some(launches), ..Amount::default() }.policy();
            assert_eq!(policy.width * policy.waves_max, launches, "a wave is not filled: {runs}");
        }
    }
}
