//! The commands of a `CMakeLists.txt` that are about benchmarks.

/// Commands that begin a block, with the one that ends it.
const BLOCKS: [(&str, &str); 5] = [
    ("if", "endif"),
    ("foreach", "endforeach"),
    ("while", "endwhile"),
    ("function", "endfunction"),
    ("macro", "endmacro"),
];
/// Ends of the names of commands that declare a program.
const DECLARE: [&str; 2] = ["add_executable", "_add_benchmark"];

/// The units of a text: a command, or a block with all that is in it. Comments between them are left out.
fn units(text: &str) -> Vec<String> {
    let (mut units, mut unit, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut rest = text;
    while let Some((command, after)) = command(rest) {
        let name = name_of(command).to_lowercase();
        depth += usize::from(BLOCKS.iter().any(|(begin, _)| name == *begin));
        if !unit.is_empty() {
            unit.push('\n');
        }
        unit.push_str(command);
        depth = depth.saturating_sub(usize::from(BLOCKS.iter().any(|(_, end)| name == *end)));
        if depth == 0 {
            units.push(std::mem::take(&mut unit));
        }
        rest = after;
    }
    units
}

fn command(text: &str) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.split_once('\n')?.1,
            None => break,
        }
    }
    let open = rest.find('(')?;
    let (mut depth, mut in_quotes, mut in_comment, mut escaped) = (0_usize, false, false, false);
    for (at, c) in rest.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '\n' => in_comment = false,
            _ if in_comment => {}
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '#' => in_comment = true,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&rest[..=at], &rest[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

fn name_of(command: &str) -> &str {
    command.split('(').next().unwrap_or_default().trim()
}

pub(super) fn words(unit: &str) -> impl Iterator<Item = &str> {
    let lines = unit.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.flat_map(|line| line.split([' ', '\t', '(', ')', '"', ';'])).filter(|word| !word.is_empty())
}

fn declared(unit: &str) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), unit);
    while let Some((line, after)) = rest.split_once('(') {
        let name = line.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|word| !word.is_empty());
        if name.is_some_and(|name| DECLARE.iter().any(|end| name.to_lowercase().ends_with(end))) {
            names.extend(words(after).next());
        }
        rest = after;
    }
    names
}

/// The units about programs whose sources have benchmarks (`uses`), about folders of benchmarks (`is_folder`), and about Tare itself.
pub(super) fn about(text: &str, uses: &dyn Fn(&str) -> bool, is_folder: &dyn Fn(&str) -> bool) -> Vec<String> {
    let units = units(text);
    let has_sources = |unit: &&String| !declared(unit).is_empty() && words(unit).any(uses);
    let programs: Vec<&str> = units.iter().filter(has_sources).flat_map(|unit| declared(unit)).collect();
    let is_about = |unit: &&String| {
        let adds = || unit.contains("add_subdirectory") && words(unit).any(is_folder);
        let begins = name_of(unit).to_lowercase();
        let is_tare = || begins != "project" && begins != "cmake_minimum_required" && mentions_tare(unit);
        words(unit).any(|word| programs.contains(&word)) || adds() || is_tare()
    };
    // Without anything to build the rest is of no use.
    let has_any = !programs.is_empty() || units.iter().any(|unit| words(unit).any(is_folder));
    units.iter().filter(|_| has_any).filter(is_about).cloned().collect()
}

/// `find_package(tare)`, `FetchContent_MakeAvailable(tare)`, `add_subdirectory(../tare)`.
fn mentions_tare(unit: &str) -> bool {
    let name = name_of(unit).to_lowercase();
    let brings = ["find_package", "fetchcontent_declare", "fetchcontent_makeavailable", "add_subdirectory", "include"];
    brings.contains(&name.as_str()) && unit.to_lowercase().contains("tare")
}

/// The text of a revision with the commands about the benchmarks of another state.
pub(super) fn merged(own: &str, commands: &[String]) -> String {
    let programs: Vec<&str> = commands.iter().flat_map(|command| declared(command)).collect();
    let mut text = own.to_owned();
    for unit in units(own) {
        let is_replaced = commands.contains(&unit) || declared(&unit).iter().any(|name| programs.contains(name));
        let is_of_one = name_of(&unit).to_lowercase().starts_with("target_")
            && words(&unit).nth(1).is_some_and(|w| programs.contains(&w));
        if is_replaced || is_of_one {
            text = text.replacen(&unit, "", 1);
        }
    }
    format!("{}\n\n{}\n", text.trim_end(), commands.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &str = "cmake_minimum_required(VERSION 3.16)\nproject(lib CXX)\nadd_library(lib lib.cpp) # tare\n\
        find_package(tare REQUIRED)\nif(BENCH)\n  add_executable(speed bench/speed.cpp)\n  target_link_libraries(speed lib tare)\nendif()\n\
        add_executable(tool tool.cpp)\nadd_subdirectory(benches)\n";

    #[test]
    fn what_is_about_benchmarks_is_taken_with_its_blocks() {
        let uses = |source: &str| source == "bench/speed.cpp";
        let found = about(TODAY, &uses, &|folder| folder == "benches");
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(
            found[0].starts_with("find_package(tare")
                && found[1].starts_with("if(BENCH)")
                && found[1].ends_with("endif()")
        );
        assert_eq!(found[2], "add_subdirectory(benches)");
        assert!(about(TODAY, &|_| false, &|_| false).is_empty());
    }

    #[test]
    fn a_program_is_declared_once() {
        let old = "project(lib CXX)\nadd_executable(speed old.cpp)\ntarget_link_libraries(speed lib)\nadd_library(lib lib.cpp)\n";
        let commands =
            ["add_executable(speed bench/speed.cpp)", "target_link_libraries(speed lib tare)"].map(str::to_owned);
        let text = merged(old, &commands);
        assert_eq!(text.matches("add_executable(speed").count(), 1, "{text}");
        assert!(
            text.contains("bench/speed.cpp") && text.contains("add_library(lib lib.cpp)") && text.contains("lib tare)"),
            "{text}"
        );
        assert_eq!(merged(&text, &commands).matches("add_executable").count(), 1);
    }
}
