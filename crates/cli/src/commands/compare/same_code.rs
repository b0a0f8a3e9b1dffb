//! Warns if both sides are the same code, because a file was not saved or to see the effect of chance.

use crate::sides::Runnable;
use tare_model::Artifact;

/// The warning about equal code as far as it is known before building. With a rename, two benchmarks of one commit are compared.
pub(super) fn of_commit(base: &Runnable, new: &Runnable, renames: &[String]) -> Option<String> {
    let is_same = renames.is_empty() && base.is_project && new.is_project && !base.is_changed && !new.is_changed;
    let commit = base.detail.split(' ').next().filter(|commit| !commit.is_empty())?;
    let is_same = is_same && new.detail.split(' ').next() == Some(commit);
    is_same.then(|| format!("both sides are commit `{commit}`, and no tracked file was changed: any difference is chance, or comes from files that git does not track"))
}

/// The warning about equal programs. Sides with the same name are compared on purpose.
pub(super) fn of_programs([base, new]: [&Runnable; 2], built: [&[Artifact]; 2]) -> Option<String> {
    let is_asked = base.name == new.name || built.iter().any(|artifacts| artifacts.is_empty());
    let said = "both sides are the same program, byte for byte: any difference is chance, or comes from libraries and files that it reads";
    (!is_asked && are_equal(built)).then(|| said.to_owned())
}

/// Whether both sides have equal programs. Interpreted programs never are, because only their first file is known.
fn are_equal([base, new]: [&[Artifact]; 2]) -> bool {
    let all_in = |some: &[Artifact], others: &[Artifact]| {
        some.iter().all(|one| !one.interpreted && others.iter().any(|other| other.hash == one.hash))
    };
    all_in(base, new) && all_in(new, base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(hash: &str) -> Artifact {
        Artifact { hash: hash.to_owned(), ..Artifact::default() }
    }

    #[test]
    fn one_commit_on_both_sides_is_chance_unless_two_benchmarks_of_it_are_compared() {
        let side = |detail: &str, is_changed: bool| Runnable {
            prepare: None,
            name: "side".to_owned(),
            detail: detail.to_owned(),
            paths: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            is_project: true,
            is_changed,
        };
        let (head, tree) = (side("1d8ad8b3 a subject", false), side("1d8ad8b3", false));
        assert!(of_commit(&head, &tree, &[]).is_some_and(|text| text.contains("commit `1d8ad8b3`")));
        assert_eq!(of_commit(&head, &tree, &["old=new".to_owned()]), None);
        for other in [side("1d8ad8b3 with changes", true), side("2d8ad8b3", false), side("", false)] {
            assert_eq!(of_commit(&head, &other, &[]), None, "{other:?}");
        }
        assert_eq!(of_commit(&side("", false), &side("", false), &[]), None);
    }

    #[test]
    fn programs_are_equal_by_their_content() {
        let [one, two] = ["1", "2"].map(artifact);
        let script = Artifact { interpreted: true, ..one.clone() };
        assert!(are_equal([&[one.clone(), two.clone()], &[two.clone(), one.clone()]]));
        assert!(!are_equal([&[one.clone(), two], std::slice::from_ref(&one)]));
        assert!(
            !are_equal([std::slice::from_ref(&script), std::slice::from_ref(&script)]),
            "what it loads is not known"
        );
    }
}
