use crate::languages::first::{Draft, First, Inside, NewProject, Refusal};

const LISTS: &str = "CMakeLists.txt";
const IN_C: &str = include_str!("../c/first/parse.c");
const LISTS_OF_C: &str = include_str!("../c/first/CMakeLists.txt.in");
const IN_CPP: &str = include_str!("../cpp/first/parse.cpp");
const LISTS_OF_CPP: &str = include_str!("../cpp/first/CMakeLists.txt.in");

pub(crate) const C: First = First {
    words: &["c"],
    title: "C",
    alone: Some(|place| Draft::new(place, &[("parse.c", IN_C)], "parse.c")),
    project: Some(|place| Draft::new(place, &[(LISTS, LISTS_OF_C), ("parse.c", IN_C)], ".")),
    home: |place| home(place, true),
    inside: |place| inside(place, "parse.c", IN_C),
};

pub(crate) const CPP: First = First {
    words: &["c++", "cpp", "cxx", "cc"],
    title: "C++",
    alone: Some(|place| Draft::new(place, &[("parse.cpp", IN_CPP)], "parse.cpp")),
    project: Some(|place| Draft::new(place, &[(LISTS, LISTS_OF_CPP), ("parse.cpp", IN_CPP)], ".")),
    home: |place| home(place, false),
    inside: |place| inside(place, "parse.cpp", IN_CPP),
};

/// The project in a folder: C if it declares C alone, else C++.
fn home(place: &NewProject, of_c: bool) -> Option<String> {
    (place.has(LISTS) && is_c_alone(&place.read(LISTS)) == of_c).then(|| LISTS.to_owned())
}

fn is_c_alone(lists: &str) -> bool {
    let lower = lists.to_lowercase();
    let code: String = lower.lines().map(|line| line.split('#').next().unwrap_or_default().to_owned() + "\n").collect();
    let project = code.split("project").nth(1).and_then(|rest| rest.trim_start().strip_prefix('(')?.split(')').next());
    let words: Vec<&str> = project.unwrap_or_default().split_whitespace().skip(1).collect();
    words.contains(&"c") && !words.contains(&"cxx")
}

/// Adds a file in the folder `bench`, and the lines that build it: without Tare, the project builds as before.
fn inside(place: &NewProject, name: &str, source: &str) -> Inside {
    if !place.has(LISTS) {
        return Inside::None;
    }
    let text = place.read(LISTS);
    if !text.to_lowercase().contains("project") {
        return Inside::Refused(Refusal {
            what: format!("`{}` has no `project()`", place.shown(LISTS)),
            hint: "name the folder of the project: `tare init LANG FOLDER`".to_owned(),
        });
    }
    let library = if name.ends_with(".c") { "tare::tare" } else { "tare::main" };
    let lines = format!(
        "find_package(tare 0.1 QUIET)  # `tare run` brings it; else it is left out\n\
         if(tare_FOUND)\n  \
           add_executable(bench_parse bench/{name})\n  \
           target_link_libraries(bench_parse PRIVATE {library})\n\
         endif()\n"
    );
    let path = format!("bench/{name}");
    let draft = Draft::new(place, &[(&path, source)], ".").adding(LISTS, &lines);
    Inside::Project(LISTS.to_owned(), draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_of_c_alone_is_one_of_c() {
        assert!(is_c_alone("cmake_minimum_required(VERSION 3.16)\nproject(a C)\n"));
        assert!(is_c_alone("# project(a CXX)\nPROJECT(a VERSION 1.0\n  LANGUAGES C)\n"));
        for lists in ["project(a)", "project(a C CXX)", "project(c CXX)", ""] {
            assert!(!is_c_alone(lists), "{lists}");
        }
    }
}
