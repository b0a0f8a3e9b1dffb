use super::repo::Repo;
use crate::revision::Moved;
use crate::toolchain::tests::help::{benchmarks, Bench};
use crate::toolchain::BuildOptions;

#[test]
fn paths_into_the_repository_become_those_of_the_checkout() {
    let repo = Repo::new();
    repo.write(".gitignore", "gen/\n");
    repo.write("gen/x.h", "");
    repo.write("inc/x.h", "");
    repo.commit("third");
    std::os::unix::fs::symlink(&repo.root, repo.folder.path.join("link")).unwrap();
    let checkout = repo.checkout("main").unwrap().folder;
    let [root, top, outside] =
        [&repo.root, &checkout, &repo.folder.path].map(|path| path.to_str().expect("UTF-8").to_owned());
    let place = checkout.join("bench.c");
    let of = |name: &str, value: &str| {
        let variables = repo.variables.clone().with(name, value);
        let mut options = BuildOptions::default();
        options.job.flags = vec![value.to_owned()];
        let moved = Moved::of(&place, &variables, &options).expect("a checkout");
        assert_eq!(moved.variables.get(name), Some(moved.changed.get(name).map_or(value, String::as_str)));
        (moved.changed.get(name).cloned(), moved.options.job.flags[0].clone(), moved.kept)
    };
    for (from, to) in [
        (format!("/opt/inc:{root}/inc:{root}"), format!("/opt/inc:{top}/inc:{top}")),
        (format!("-O2 -I{root}/inc -Wl,-rpath={root}/sub,-z"), format!("-O2 -I{top}/inc -Wl,-rpath={top}/sub,-z")),
        (format!("{root}/sub/../inc/"), format!("{top}/inc")),
        (format!("{outside}/x:{top}/inc"), format!("{outside}/x:{top}/inc")),
        // Not yet there in the revision: the user's would be another one's code.
        (format!("{root}/new"), format!("{top}/new")),
        (format!("{root}-2/inc:../inc:-I."), format!("{root}-2/inc:../inc:-I.")),
    ] {
        let (variable, flag, kept) = of("CPATH", &from);
        assert_eq!((variable.unwrap_or(from), &flag), (to.clone(), &to));
        assert!(kept.is_empty(), "{kept:?}");
    }
    let (variable, flag, kept) = of("LIBRARY_PATH", &format!("{root}/gen"));
    assert_eq!((variable, flag), (None, format!("{root}/gen")));
    assert!(kept.iter().eq([&repo.root.join("gen")]));
    assert_eq!(of("HOME", &root).0, None);
    assert!(Moved::of(&repo.root, &repo.variables, &BuildOptions::default()).is_none());
}

#[test]
fn each_side_is_compiled_with_its_own_headers() {
    let repo = Repo::empty();
    repo.write("inc/number.h", "#define NAME \"one\"\n");
    let code = "TARE_C_BENCH(NAME) { int one = 1; tare_keep(one); }";
    repo.write("a.c", &format!("// tare-flags: -O0\n#include <number.h>\n#include <tare.h>\n{code}\n"));
    repo.commit("first");
    repo.write("inc/number.h", "#define NAME \"two\"\n");
    repo.commit("second");
    let mut bench = Bench::sharing();
    let inc = repo.root.join("inc");
    let plain = bench.variables.clone();
    for (variable, flags) in [(true, Vec::new()), (false, vec!["-isystem".to_owned(), inc.display().to_string()])] {
        bench.variables = if variable { plain.clone().with("C_INCLUDE_PATH", &inc) } else { plain.clone() };
        bench.options.job.flags = flags;
        let of = |revision| benchmarks(bench.build(&repo.checkout(revision).unwrap().folder.join("a.c")).artifact());
        assert_eq!(["main~1", "main"].map(of), [["one"], ["two"]]);
    }
}
