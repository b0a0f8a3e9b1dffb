//! Errors that a compiler finds in Tare's header because of an error in the user's file: gcc goes on with a body that it did not
//! understand, and then says ten times that it is none.

/// What stands above an error and belongs to it.
const CONTEXT: [&str; 9] = [
    "In file included from ",
    "                 from ",
    ": In function ",
    ": In member function ",
    ": In lambda function",
    ": In instantiation of ",
    ": In substitution of ",
    ": At global scope:",
    ":   required ",
];
/// Lines of the tools that start a compiler: they are nobody's error.
const TOOLS: [&str; 5] = ["ninja: ", "make", "gmake", "FAILED: ", "["];

#[derive(Default)]
struct Block<'a> {
    lines: Vec<&'a str>,
    /// The file that the error is in.
    error_in: Option<&'a str>,
}

/// The text without errors in Tare's own header, where there is one in another file as well; None: it stays as it is.
pub(in crate::languages) fn without_consequences(text: &str) -> Option<String> {
    let blocks = blocks(text);
    // Without a template it is in a macro, and about what the user wrote in it.
    let is_ours = |block: &Block| {
        block.error_in.is_some_and(is_front_end) && block.lines.iter().any(|line| line.contains("nstantiation of "))
    };
    let has_theirs = blocks.iter().any(|block| block.error_in.is_some() && !is_ours(block));
    if !has_theirs || !blocks.iter().any(is_ours) {
        return None;
    }
    let (mut kept, mut dropped) = (Vec::new(), 0);
    for block in &blocks {
        match is_ours(block) {
            true => {
                dropped += 1;
                kept.extend(block.lines.iter().copied().filter(|line| TOOLS.iter().any(|tool| line.starts_with(tool))));
            }
            false => kept.extend(&block.lines),
        }
    }
    let note = match dropped {
        1 => "1 error in tare.h that follows from this is left out".to_owned(),
        _ => format!("{dropped} errors in tare.h that follow from this are left out"),
    };
    Some(format!("{}\n({note})\n", kept.join("\n")))
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = vec![Block::default()];
    let mut is_above = true;
    for line in text.lines() {
        let is_context = CONTEXT.iter().any(|words| line.contains(words));
        let error = error_in(line);
        if (is_context || error.is_some()) && !is_above {
            blocks.push(Block::default());
        }
        is_above = is_context;
        if let Some(block) = blocks.last_mut() {
            block.error_in = error.or(block.error_in);
            block.lines.push(line);
        }
    }
    blocks
}

/// The file of `FILE:LINE:COLUMN: error: ...`.
fn error_in(line: &str) -> Option<&str> {
    let (place, _) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
    let mut parts = place.rsplitn(3, ':');
    let numbers = parts.by_ref().take(2).all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()));
    parts.next().filter(|file| numbers && !file.starts_with(' '))
}

fn is_front_end(file: &str) -> bool {
    file.ends_with("/tare.h") || file.contains("/include/tare/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "In file included from bad.cpp:1:
bad.cpp: In lambda function:
bad.cpp:2:35: error: 'undefined_thing' was not declared in this scope
    2 | TARE_BENCH(\"bad/one\", [] { return undefined_thing(1); });
      |                                   ^~~~~~~~~~~~~~~
";
    const AFTER: &str = "/c/include/tare.h: In instantiation of 'struct tare::detail::StateOf<<lambda()>, false>':
/c/include/tare.h:2046:11:   required from 'auto tare::detail::add(const char*, int)'
bad.cpp:2:1:   required from here
/c/include/tare.h:1346:25: error: static assertion failed: a body takes no argument, or its state
 1346 |     static_assert(!std::is_void_v<type>,
      |                    ~~~~~^~~~~~~~~~~~~~~
/c/include/tare.h:1346:25: note: '!(bool)std::is_void_v<void>' evaluates to false
";

    #[test]
    fn an_error_of_the_user_stands_alone() {
        let text = without_consequences(&format!("{BODY}{AFTER}ninja: build stopped\n"));
        assert_eq!(
            text,
            Some(format!("{BODY}ninja: build stopped\n(1 error in tare.h that follows from this is left out)\n"))
        );
        let twice = without_consequences(&format!("{BODY}{AFTER}{AFTER}{BODY}"));
        assert_eq!(twice, Some(format!("{BODY}{BODY}(2 errors in tare.h that follow from this are left out)\n")));
    }

    #[test]
    fn what_is_wrong_with_a_declaration_is_shown() {
        assert_eq!(without_consequences(AFTER), None);
        assert_eq!(without_consequences(BODY), None);
        let slip = "/c/include/tare.h:1167:13: error: two consecutive '[' shall only introduce an attribute\n";
        assert_eq!(without_consequences(&format!("{BODY}{slip}")), None);
        assert_eq!(without_consequences("error: linking failed\n"), None);
    }
}
