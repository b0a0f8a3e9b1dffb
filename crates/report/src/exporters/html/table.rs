//! Tables: plain ones, and the table of all cases, whose rows can be sorted, drawn and opened.

use super::content::{name, unbroken};
use super::role;
use crate::elements::chart::axis;
use crate::elements::chart::axis::{Range, Scale};
use crate::elements::chart::svg::{dot_range, escape, num, tone};
use crate::elements::chart::{Axis, Dot, DotPlot};
use crate::elements::table::{Align, Block, Body, Cell, Column, Drawn, Row, Table, Title};
use crate::words::text::{clean, width, Role};

/// Tables with at least this many rows are rendered while scrolling.
const LARGE: usize = 400;
/// Rows rendered together in that case.
const CHUNK: usize = 60;

fn is_large(table: &Table) -> bool {
    table.blocks.iter().map(|block| block.rows.len()).sum::<usize>() >= LARGE
}

/// Column titles for a narrow screen, which has no title line, and column widths for many rows.
pub(super) fn style(table: &Table) -> String {
    if !is_cases(table) {
        return String::new();
    }
    let label = |at: usize| {
        let title = title_of(table, at)?;
        Some(format!(
            ".cases>tbody>tr>td:nth-child({}):not(:empty)::before{{content:{}}}\n",
            place(table, at) + 1,
            css_text(&title.long)
        ))
    };
    let labels: String = (0..table.columns.len()).filter_map(label).collect();
    let tracks = if is_large(table) { tracks(table) } else { String::new() };
    format!("@media screen and (max-width:640px){{\n{labels}}}\n{tracks}")
}

/// A browser can skip rows out of sight if they are blocks. To stay aligned, each column is as wide as its longest text.
fn tracks(table: &Table) -> String {
    let shown = |such: &dyn Fn(&Column) -> bool| -> Vec<usize> {
        (0..table.columns.len()).filter(|&at| such(&table.columns[at])).map(|at| place(table, at)).collect()
    };
    let (first, room) = match is_plotted(table) {
        true => ("minmax(190px,24fr) minmax(140px,26fr)", "330px"),
        false => ("minmax(190px,1fr)", "190px"),
    };
    let all: String = (0..table.columns.len()).map(|at| format!(" var(--w{})", place(table, at))).collect();
    let mut widths = String::new();
    for at in 0..table.columns.len() {
        let n = place(table, at);
        let now = if table.columns[at].optional { " ".to_owned() } else { format!("var(--c{n})") };
        widths.push_str(&format!("--c{n}:calc({}ch + 14px);--w{n}:{now};", track(table, at)));
    }
    let least = |shown: &[usize]| shown.iter().map(|n| format!(" + var(--c{n})")).collect::<String>();
    let few = shown(&|column| !column.optional && !is_low(column));
    let low: String =
        shown(&|column| !column.optional && is_low(column)).iter().map(|n| format!("--w{n}: ;")).collect();
    format!(
        "@media screen and (min-width:641px){{.large{{{widths}min-width:calc({room}{})}}\n.large>*>tr{{grid-template-columns:{first}{all}}}\n\
         .large .message{{grid-column:{}/-1}}}}\n\
         @media screen and (min-width:641px) and (max-width:1040px){{.large{{{low}min-width:calc({room}{})}}}}\n",
        least(&shown(&|column| !column.optional)),
        place(table, table.naming) + 1,
        least(&few)
    )
}

/// Width of a column's widest text in characters; its title may wrap.
fn track(table: &Table, at: usize) -> usize {
    let title = title_of(table, at).map_or("", |title| &title.long);
    // Titles have smaller letters, followed by a sort sign.
    let words = title.split(' ').map(|word| 0.9 * width(word) as f64 + 2.0);
    let cells = cells_of(table, at).map(|cell| {
        let size = match cell {
            Cell::Number { role: Role::Value, .. } => 1.12,
            Cell::Text { text, .. } if is_shape(text) => 1.25,
            _ => 1.0,
        };
        (size * width(&cell.plain()) as f64).min(LONG as f64)
    });
    words.chain(cells).fold(1.0, f64::max).ceil() as usize
}

fn cells_of(table: &Table, at: usize) -> impl Iterator<Item = &Cell> {
    table.blocks.iter().flat_map(|block| &block.rows).filter_map(move |row| match &row.body {
        Body::Cells(cells) => cells.get(at),
        Body::Message { named, .. } => named.get(at),
    })
}

/// Longer column texts wrap, in characters.
const LONG: usize = 26;

/// The index of a column among a row's cells.
fn place(table: &Table, at: usize) -> usize {
    at + 1 + usize::from(is_plotted(table))
}

/// A CSS string that cannot be ended by its text, nor end the style.
fn css_text(text: &str) -> String {
    let letter = |c: char| match c {
        '"' | '\\' | '<' | '&' => format!("\\{:x} ", c as u32),
        c => c.to_string(),
    };
    format!("\"{}\"", clean(text).chars().map(letter).collect::<String>())
}

fn is_plotted(table: &Table) -> bool {
    table.blocks.iter().any(|block| block.plot.is_some())
}

fn is_low(column: &Column) -> bool {
    column.priority >= 4
}

fn is_cases(table: &Table) -> bool {
    table.blocks.iter().flat_map(|block| &block.rows).any(|row| row.drawn.is_some())
}

pub(super) fn table(table: &Table, page: &mut String) {
    if is_cases(table) {
        return cases(table, page);
    }
    let numbers = table.columns.iter().all(|column| column.align == Align::Right);
    let class = if numbers { "small numbers" } else { "small" };
    let side = |column: &Column| if numbers { "" } else { side(column) };
    for block in &table.blocks {
        page.push_str(&format!("<div class=\"scroll\" tabindex=\"0\"><table class=\"{class}\"><thead><tr>"));
        block.heads.iter().for_each(|head| page.push_str(&format!("<th>{}", escape(head))));
        for (title, column) in block.titles.iter().zip(&table.columns) {
            page.push_str(&format!("<th{}>{}", side(column), escape(&title.long)));
        }
        page.push_str("</tr></thead><tbody>\n");
        for row in &block.rows {
            page.push_str("<tr>");
            for (at, head) in row.heads.iter().enumerate() {
                let tag = if at == 0 { "th" } else { "td" };
                page.push_str(&format!("<{tag}>{}", bare(head)));
            }
            body(table, &row.body, None, &side, page);
            page.push('\n');
        }
        page.push_str("</tbody></table></div>\n");
    }
}

fn side(column: &Column) -> &'static str {
    if column.align == Align::Right {
        " class=\"n\""
    } else {
        ""
    }
}

/// The kind of rows; for a history, runs.
fn first_title(table: &Table) -> &str {
    match table.blocks.as_slice() {
        [block] if block.heads.first().is_some_and(|head| head == "run") => "run",
        _ => "benchmark",
    }
}

fn cases(table: &Table, page: &mut String) {
    let plotted = is_plotted(table);
    let runs = (!table.compared.runs.is_empty()).then(|| serde_json::json!(table.compared.runs).to_string());
    let compared = attribute("runs", runs.as_deref()) + &attribute("compare", table.compared.url.as_deref());
    let class_of_all = if is_large(table) { "cases large" } else { "cases" };
    page.push_str(&format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"Results\" tabindex=\"0\"><table class=\"{class_of_all}\"{compared}><thead><tr>\
         <th scope=\"col\" class=\"name\">{}</th>",
        escape(first_title(table))
    ));
    if plotted {
        page.push_str("<th scope=\"col\" class=\"plot\">value with 95 % interval</th>");
    }
    let classes: Vec<String> = (0..table.columns.len()).map(|at| class(table, at)).collect();
    for (at, class) in classes.iter().enumerate() {
        let title = title_of(table, at).map(|title| escape(&title.long));
        let title = title.unwrap_or_else(|| "<span class=\"hidden\">remark</span>".to_owned());
        page.push_str(&format!("<th scope=\"col\"{class}>{title}</th>"));
    }
    page.push_str("</tr></thead>\n");
    // A common axis for all blocks if it is the same.
    let shared = shared_range(table);
    for (number, block) in table.blocks.iter().enumerate() {
        page.push_str(&format!("<tbody data-g=\"{number}\">\n"));
        rows(table, &classes, block, shared, page);
        page.push_str("</tbody>\n");
    }
    page.push_str("</table></div>\n");
}

/// A column's common title: the shortest. Blocks with another state it beside their name.
fn title_of(table: &Table, column: usize) -> Option<&Title> {
    let titles = table.blocks.iter().filter_map(|block| block.titles.get(column));
    titles.filter(|title| !title.long.is_empty()).min_by_key(|title| title.long.len())
}

/// What all rows of a block share: titles and parameters.
fn in_common(table: &Table, block: &Block) -> String {
    let own = block.titles.iter().enumerate().filter(|(at, title)| {
        !title.long.is_empty() && title_of(table, *at).is_some_and(|of_all| of_all.long != title.long)
    });
    let own = own.map(|(_, title)| title.long.clone());
    let items: Vec<String> = own.chain(Some(block.constants.clone()).filter(|text| !text.is_empty())).collect();
    if items.is_empty() {
        return String::new();
    }
    format!(" <small>{}</small>", escape(&items.join(", ")))
}

/// Numbers are right-aligned. Less important columns are hidden on a narrow screen, or initially; long texts wrap.
fn class(table: &Table, at: usize) -> String {
    let column = &table.columns[at];
    let mut classes: Vec<&str> = Vec::new();
    if column.align == Align::Right {
        classes.push("n");
    }
    if column.optional {
        classes.push("more");
    } else if is_low(column) {
        classes.push("low");
    }
    if cells_of(table, at).any(|cell| width(&cell.plain()) > LONG) {
        classes.push("long");
    }
    if classes.is_empty() {
        String::new()
    } else {
        format!(" class=\"{}\"", classes.join(" "))
    }
}

fn shared_range(table: &Table) -> Option<Range> {
    let mut plots = table.blocks.iter().filter_map(|block| block.plot.as_deref());
    let first = plots.next()?;
    let is_same = plots.all(|plot| plot == first) && table.blocks.len() > 1;
    if is_same {
        dot_range(first)
    } else {
        None
    }
}

fn rows(table: &Table, classes: &[String], block: &Block, shared: Option<Range>, page: &mut String) {
    let plotted = is_plotted(table);
    let plot = block.plot.as_deref();
    let range = plot.and_then(|plot| shared.or_else(|| dot_range(plot)));
    let scale = plot.zip(range).map(|(plot, range)| Scale::new(range, plot.axis.is_log, 0.0, 100.0));
    let title = block.heads.first().map_or("", String::as_str);
    let constants = in_common(table, block);
    // The first column's title says the same.
    let says_nothing = plot.is_none() && title == first_title(table) && constants.is_empty() && table.blocks.len() == 1;
    if !says_nothing {
        head(table, title, &constants, plotted.then_some(plot.zip(scale)), page);
    }
    let nothing = Drawn::default();
    for (at, row) in block.rows.iter().enumerate() {
        if at > 0 && at % CHUNK == 0 && is_large(table) {
            page.push_str("</tbody><tbody>\n");
        }
        let drawn = row.drawn.as_deref().unwrap_or(&nothing);
        one(table, classes, row, drawn, plotted.then_some(plot.zip(scale)), page);
    }
}

type Plotted<'a> = Option<(&'a DotPlot, Scale)>;

fn head(table: &Table, title: &str, constants: &str, plotted: Option<Plotted>, page: &mut String) {
    page.push_str(&format!(
        "<tr class=\"group\"><th scope=\"rowgroup\" class=\"name\">{}{constants}</th>",
        name(title)
    ));
    if let Some(plot) = plotted {
        let drawn = plot.map(|(plot, scale)| axis(&plot.axis, &scale)).unwrap_or_default();
        page.push_str(&format!("<td class=\"plot\">{drawn}</td>"));
    }
    page.push_str(&format!("<td colspan=\"{}\"></td></tr>\n", table.columns.len()));
}

fn attribute(name: &str, value: Option<&str>) -> String {
    value.map(|value| format!(" data-{name}=\"{}\"", escape(value))).unwrap_or_default()
}

fn one(table: &Table, classes: &[String], row: &Row, drawn: &Drawn, plotted: Option<Plotted>, page: &mut String) {
    let word = drawn.word.map(|word| format!(" data-word=\"{word}\"")).unwrap_or_default();
    let full = drawn.full_name.as_ref().map(|name| format!(" data-name=\"{}\"", escape(name))).unwrap_or_default();
    let label = row.heads.first().map(Cell::plain).unwrap_or_default();
    let label = match (&drawn.anchor, &drawn.page) {
        (Some(anchor), _) => format!("<a href=\"#{0}\" data-case=\"{0}\">{1}</a>", escape(anchor), name(&label)),
        (None, Some(page)) => format!("<a href=\"{}\">{}</a>", escape(page), name(&label)),
        (None, None) => name(&label),
    };
    let gap = if row.gap { " class=\"gap\"" } else { "" };
    let values = |one: &Option<[f64; 3]>| one.map(|values| values.map(|value| format!("{value:.5e}")).join(" "));
    let values: Vec<String> = drawn.comparable.iter().map(|one| values(one).unwrap_or_default()).collect();
    let comparable = attribute("value", (!values.is_empty()).then(|| values.join(";")).as_deref())
        + &attribute("commit", drawn.commit.as_deref());
    page.push_str(&format!("<tr{gap}{word}{full}{comparable}><th scope=\"row\" class=\"name\">{label}"));
    if let Some(plot) = plotted {
        let dot = drawn.dot.as_ref().zip(plot).map(|(dot, (plot, scale))| mark(dot, plot, &scale));
        page.push_str(&format!("<td class=\"plot\">{}", dot.unwrap_or_default()));
    }
    body(table, &row.body, Some((drawn, classes)), &side, page);
    // Otherwise the line end would make the last cell non-empty.
    page.push_str("</tr>\n");
}

/// The ticks of a block's axis; positions are percentages, so that it scales with the column.
fn axis(axis: &Axis, scale: &Scale) -> String {
    const TICKS: usize = 3;
    let ticks = scale.ticks(TICKS);
    let labels = axis::labels(axis, &ticks);
    let mut drawn = String::from("<svg class=\"dot axis\" aria-hidden=\"true\">");
    for (tick, label) in ticks.iter().zip(&labels.ticks) {
        let at = scale.at(*tick);
        let anchor = match at {
            at if at < 6.0 => "start",
            at if at > 94.0 => "end",
            _ => "middle",
        };
        drawn.push_str(&format!("<text x=\"{}%\" y=\"12\" text-anchor=\"{anchor}\">{}</text>", num(at), escape(label)));
    }
    drawn + &format!("</svg><span class=\"unit\">{}</span>", escape(&labels.title))
}

/// A row's dot with its interval, before the band of changes too small to count.
fn mark(dot: &Dot, plot: &DotPlot, scale: &Scale) -> String {
    let mut drawn = format!("<svg class=\"dot {}\" role=\"img\"><title>{}</title>", tone(dot.tone), escape(&dot.text));
    if let Some(band) = plot.band {
        let (from, to) = (scale.at(band.lower), scale.at(band.upper));
        drawn.push_str(&format!(
            "<rect class=\"effect\" x=\"{}%\" width=\"{}%\" height=\"100%\"/>",
            num(from),
            num(to - from)
        ));
    }
    if let Some(reference) = plot.reference {
        let at = num(scale.at(reference));
        drawn.push_str(&format!("<line class=\"one\" x1=\"{at}%\" x2=\"{at}%\" y1=\"0\" y2=\"100%\"/>"));
    }
    if let Some(interval) = dot.interval {
        let (from, to) = (num(scale.at(interval.lower)), num(scale.at(interval.upper)));
        drawn.push_str(&format!("<line x1=\"{from}%\" x2=\"{to}%\" y1=\"50%\" y2=\"50%\"/>"));
    }
    let at = num(scale.at(dot.value));
    match scale.beyond(dot.value) {
        0 => drawn.push_str(&format!("<circle cx=\"{at}%\" cy=\"50%\" r=\"4\"/>")),
        side => {
            let (anchor, arrow) = if side > 0 { ("end", "▶") } else { ("start", "◀") };
            drawn
                .push_str(&format!("<text x=\"{at}%\" y=\"50%\" dy=\".35em\" text-anchor=\"{anchor}\">{arrow}</text>"));
        }
    }
    drawn + "</svg>"
}

fn body(
    table: &Table,
    body: &Body,
    drawn: Option<(&Drawn, &[String])>,
    side: &dyn Fn(&Column) -> &'static str,
    page: &mut String,
) {
    match body {
        Body::Cells(cells) => {
            for (at, (cell, column)) in cells.iter().zip(&table.columns).enumerate() {
                let value =
                    drawn.and_then(|(drawn, _)| drawn.values.get(at).copied().flatten()).filter(|v| v.is_finite());
                let value = value.map(|value| format!(" data-v=\"{value:.4e}\"")).unwrap_or_default();
                let class = drawn.map_or(side(column), |(_, classes)| &classes[at]);
                let inside = if drawn.is_some() { text(cell) } else { bare(cell) };
                let link = drawn.and_then(|(drawn, _)| drawn.link.as_ref().filter(|(of, _)| *of == at));
                let inside =
                    link.map_or(inside.clone(), |(_, url)| format!("<a href=\"{}\">{inside}</a>", escape(url)));
                page.push_str(&format!("<td{class}{value}>{inside}"));
            }
        }
        Body::Message { named, text: message, role: of } => {
            for (at, cell) in named.iter().enumerate() {
                let class = drawn.map_or("", |(_, classes)| &classes[at]);
                page.push_str(&format!("<td{class}>{}", text(cell)));
            }
            let rest = table.columns.len().saturating_sub(named.len()).max(1);
            let class = role(*of).unwrap_or("r-quiet");
            page.push_str(&format!("<td class=\"message {class}\" colspan=\"{rest}\">{}", escape(message)));
        }
    }
}

/// A cell in a uniform table, without closing tags, as there are many.
fn bare(cell: &Cell) -> String {
    match cell {
        Cell::Number { role: Role::Value, .. } => escape(&cell.plain()).replacen(' ', "\u{a0}", 1),
        other => text(other),
    }
}

fn text(cell: &Cell) -> String {
    let styled = |text: String, of| match role(of) {
        Some(class) if !text.is_empty() => format!("<span class=\"{class}\">{text}</span>"),
        _ => text,
    };
    match cell {
        Cell::Empty => String::new(),
        Cell::Text { text, .. } if is_shape(text) => {
            format!("<span class=\"shape\" role=\"img\" aria-label=\"histogram of the visits\">{}</span>", escape(text))
        }
        Cell::Text { text, role } => styled(unbroken(text), *role),
        Cell::Number { number, role, suffix, suffix_role } => {
            let number = styled(escape(&number.joined()), *role);
            let space = if suffix.is_empty() { "" } else { "\u{a0}" };
            format!("{number}{space}{}", styled(escape(suffix), *suffix_role))
        }
    }
}

fn is_shape(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| ('▁'..='█').contains(&c))
}
