use tare_model::{Benchmark, Loop};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// First request, with the host's version and capabilities.
    Hello {
        version: u64,
    },
    List,
    Set {
        name: String,
        /// The values as text, at least one.
        values: Vec<String>,
    },
    Open {
        /// Its number in the list.
        index: u32,
        /// Its `key` in the list, if it has one.
        key: Option<String>,
        /// Source of random offsets; 0 for none.
        seed: u64,
    },
    /// Runs the body once and reports its result.
    Check,
    Measure {
        which: Loop,
        iterations: u64,
        invocations: u64,
        /// Untimed invocations before the first iteration.
        lead: u64,
        /// Windows per iteration, each of `invocations`; 0: no windows, as for a child without them.
        windows: u64,
    },
    /// Runs iterations under a diagnoser, which may slow them.
    Diagnose {
        name: String,
        iterations: u64,
        invocations: u64,
        /// Invocations before the first iteration.
        lead: u64,
    },
    Randomize {
        seed: u64,
    },
    /// A full garbage collection.
    Collect,
    Close,
    Bye,
}

impl Request {
    pub fn open(benchmark: &Benchmark, seed: u64) -> Request {
        Request::Open { index: benchmark.index, seed, key: benchmark.key.clone() }
    }

    /// The line to send, with its line end.
    pub fn encode(&self) -> String {
        match self {
            Request::Hello { version } => format!("hello {version} {}\n", crate::HOST_CAPABILITIES.join(" ")),
            Request::List => "list\n".to_owned(),
            Request::Set { name, values } => {
                let words: Vec<String> = std::iter::once(name).chain(values).map(|text| word(text)).collect();
                format!("set {}\n", words.join(" "))
            }
            Request::Open { index, seed, key } => {
                let key = key.as_ref().map(|key| format!(" {}", word(key))).unwrap_or_default();
                format!("open {index} {seed}{key}\n")
            }
            Request::Check => "check\n".to_owned(),
            Request::Measure { which, iterations, invocations, lead, windows } => {
                let which = match which {
                    Loop::Workload => "workload",
                    Loop::Overhead => "overhead",
                    Loop::Rolled => "rolled",
                    Loop::Single => "single",
                    Loop::SingleOverhead => "single-overhead",
                };
                let windows = if *windows == 0 { String::new() } else { format!(" {windows}") };
                format!("measure {which} {iterations} {invocations} {lead}{windows}\n")
            }
            Request::Diagnose { name, iterations, invocations, lead } => {
                format!("diagnose {} {iterations} {invocations} {lead}\n", word(name))
            }
            Request::Randomize { seed } => format!("randomize {seed}\n"),
            Request::Collect => "collect\n".to_owned(),
            Request::Close => "close\n".to_owned(),
            Request::Bye => "bye\n".to_owned(),
        }
    }
}

/// Encodes a text as one word of a request: non-printable or non-ASCII bytes, the space and `%` as `%XX`; an empty text as `%`.
fn word(text: &str) -> String {
    if text.is_empty() {
        return "%".to_owned();
    }
    let one = |byte: u8| match byte {
        b'!'..=b'~' if byte != b'%' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_words() {
        let set = |value: &str| Request::Set { name: "n".into(), values: vec![value.into(), "2".into()] }.encode();
        assert_eq!(set("100"), "set n 100 2\n");
        assert_eq!(set("50 % \u{e4}"), "set n 50%20%25%20%C3%A4 2\n");
        assert_eq!(set(""), "set n % 2\n");
    }

    #[test]
    fn longest_request_fits_the_limit() {
        let longest = Request::Measure {
            which: Loop::Overhead,
            iterations: u64::MAX,
            invocations: u64::MAX,
            lead: u64::MAX,
            windows: u64::MAX,
        };
        assert!(longest.encode().len() <= crate::REQUEST_BYTES_MAX);
    }

    #[test]
    fn requests_are_one_ascii_line() {
        for request in [
            Request::Hello { version: 1 },
            Request::List,
            Request::Open { index: 3, seed: 7, key: None },
            Request::Open { index: 3, seed: 7, key: Some("0a b".to_owned()) },
            Request::Check,
            Request::Diagnose { name: "m".into(), iterations: 1, invocations: 2, lead: 3 },
            Request::Randomize { seed: 1 },
            Request::Collect,
            Request::Close,
            Request::Bye,
        ] {
            let line = request.encode();
            assert!(line.is_ascii() && line.ends_with('\n') && line.matches('\n').count() == 1, "{line:?}");
        }
    }
}
