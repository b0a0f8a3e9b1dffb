//! The forms in which a command shows and writes its result: standard output, files, and the job summary of GitHub.

pub mod in_front;
pub mod no_result;
mod shown;

pub use shown::{attached, both, judged, say_judgement, show, shown, write, write_text};

use crate::args::{OutputArgs, OutputFiles};
use crate::failure::Failure;
use crate::pictures::{self, PictureStyle};
use crate::request::any_of;
use std::io::Read;
use std::path::{Path, PathBuf};
use tare_report::{Exporter, Presentation, SubjectKind, Template, TemplateError, EXPORTERS, GZIP, TEMPLATES};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    Exporter(&'static Exporter),
    /// A picture as pixels, or in a fixed theme.
    Picture(&'static Exporter, PictureStyle),
    Template(Template),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub path: PathBuf,
    pub form: Form,
    /// Appends to the file: the job summary is shared by all steps of a job.
    pub appends: bool,
}

#[derive(Debug)]
pub struct Forms {
    pub printed: Form,
    pub outputs: Vec<Output>,
    /// Maximum length of Markdown, in characters.
    pub md_limit: Option<usize>,
}

impl Default for Forms {
    fn default() -> Self {
        Forms { printed: Form::Exporter(EXPORTERS[0]), outputs: Vec::new(), md_limit: None }
    }
}

impl Forms {
    #[must_use]
    pub fn or_json(self, is_wanted: bool) -> Forms {
        let json = Exporter::of_name("json").filter(|_| is_wanted).map(Form::Exporter);
        Forms { printed: json.unwrap_or(self.printed), ..self }
    }

    /// Whether it prints the table for people rather than a form for programs.
    pub fn prints_table(&self) -> bool {
        matches!(self.printed, Form::Exporter(exporter) if *exporter == *EXPORTERS[0])
    }

    /// Refuses forms that this kind of subject lacks; `FORMAT` in the hint is replaced by the form.
    pub fn refuse(&self, kind: &SubjectKind, hint: &str) -> Result<(), Failure> {
        let of = |form: &Form| match form {
            Form::Exporter(exporter) | Form::Picture(exporter, _) => Some((exporter.refusal(kind)?, exporter.name)),
            Form::Template(template) => Some((template.refusal(kind)?, "csv")),
        };
        let mut forms = std::iter::once(&self.printed).chain(self.outputs.iter().map(|output| &output.form));
        match forms.find_map(of) {
            None => Ok(()),
            Some((what, name)) => Err(Failure::Usage { what, hint: hint.replace("FORMAT", name) }),
        }
    }
}

impl Output {
    pub fn is_compressed(&self) -> bool {
        file_name(&self.path).ends_with(GZIP)
    }

    /// The file name, by which a template decides how to escape values.
    pub fn file_name(&self) -> String {
        file_name(&self.path)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn asked(args: &OutputArgs) -> Result<Forms, Failure> {
    of(args.format, &args.written)
}

/// With the form for standard output given. A template makes all files; without files it is printed.
pub fn of(format: &'static Exporter, files: &OutputFiles) -> Result<Forms, Failure> {
    let template = files.template.as_deref().map(template).transpose()?;
    let named = Some(format).filter(|format| **format != *EXPORTERS[0]);
    let mut outputs = Vec::new();
    for path in &files.files {
        let form = match &template {
            Some(template) => Form::Template(template.clone()),
            None => form(path, named)?,
        };
        outputs.push(Output { path: path.clone(), form, appends: false });
    }
    outputs.extend(if files.job_summary { Some(job_summary()?) } else { None });
    let printed = match template {
        Some(_) if named.is_some() => {
            return Err(Failure::Usage {
                what: format!("`--template` and the format `{}` exclude each other", format.name),
                hint: "leave one of them out; for both, show the run twice: `tare show latest`".to_owned(),
            });
        }
        Some(template) if files.files.is_empty() => Form::Template(template),
        _ => Form::Exporter(format),
    };
    Ok(Forms { printed, outputs, md_limit: files.shortening.most() })
}

fn form(path: &Path, named: Option<&'static Exporter>) -> Result<Form, Failure> {
    let name = file_name(path);
    let found = match pictures::of_name(&name).or_else(|| compressed(&name)) {
        Some((svg, look)) => Exporter::of_file_and_name(&svg, named).map(|exporter| Form::Picture(exporter, look)),
        None => Exporter::of_file_and_name(&name, named).map(Form::Exporter),
    };
    found.ok_or_else(|| {
        let is_picture = pictures::of_name(&name).is_some();
        let fits = |e: &&&Exporter| if is_picture { e.extension.ends_with(".svg") } else { e.is_common() };
        let known: Vec<&str> = EXPORTERS.iter().filter(fits).map(|e| e.extension).chain([".png"]).collect();
        Failure::Usage {
            what: format!("the extension of `{}` is not an output format", path.display()),
            hint: format!("use {}; all of them: `tare help exporters`", any_of(&known)),
        }
    })
}

/// A compressed picture; PNG is compressed already.
fn compressed(name: &str) -> Option<(String, PictureStyle)> {
    pictures::of_name(name.strip_suffix(GZIP)?).filter(|(_, look)| !look.is_pixels)
}

fn template(given: &str) -> Result<Template, Failure> {
    if let Some(shipped) = Template::shipped(given) {
        return Ok(shipped);
    }
    let path = Path::new(given);
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    match read {
        Ok(_) => Template::new(&file_name(path), &text).map_err(|error| wrong(&error)),
        // A name without folder and extension is meant as one of Tare's templates.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !given.contains(['.', '/']) => {
            let known: Vec<String> = TEMPLATES.iter().map(|shipped| format!("`{}`", shipped.name)).collect();
            Err(Failure::Usage {
                what: format!("there is no template `{given}`"),
                hint: format!("use {} or the path of a file: `tare help templates`", any_of(&known)),
            })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::Usage {
            what: format!("there is no template file `{given}`"),
            hint: "give the path of a file, or one of those that come with Tare: `tare help templates`".to_owned(),
        }),
        Err(source) => Err(Failure::CannotRead { path: path.to_owned(), source }),
    }
}

pub fn wrong(error: &TemplateError) -> Failure {
    Failure::Usage { what: error.to_string(), hint: "`tare help templates` lists names, types and filters".to_owned() }
}

/// The output of a template; `file` is None for standard output.
pub fn rendered(template: &Template, shown: &Presentation, file: Option<&str>) -> Result<String, Failure> {
    template.render(shown, file).map_err(|error| wrong(&error))
}

/// The variable in which GitHub Actions passes the path of the summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

fn job_summary() -> Result<Output, Failure> {
    let path = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()).map(PathBuf::from);
    let markdown = Exporter::of_name("md");
    match path.zip(markdown) {
        Some((path, markdown)) => Ok(Output { path, form: Form::Exporter(markdown), appends: true }),
        None => Err(Failure::Usage {
            what: format!("`--job-summary` needs the variable `{SUMMARY}`, which GitHub Actions sets"),
            hint: "write a file elsewhere: `-o summary.md`".to_owned(),
        }),
    }
}
