// Sections that contain all words, best first; a word may be the start of a longer one.
function find(pages, query) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const hits = [];
  pages.forEach(([page, file, parts]) => parts.forEach(([place, title, text], at) => {
    const all = `${page} ${title} ${text}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return;
    const heading = title.toLowerCase();
    const own = `${title} ${text}`.toLowerCase();
    // A page that matches only by its title is shown once, with its beginning.
    if (at > 0 && !words.some((word) => own.includes(word))) return;
    let points = 0;
    for (const word of words) {
      const whole = new RegExp(`(^|[^\\p{L}\\p{N}_])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}($|[^\\p{L}\\p{N}_])`, 'u');
      if (heading.includes(word)) points += whole.test(heading) ? 20 : 10;
      if (page.toLowerCase().includes(word)) points += at === 0 ? 8 : 3;
      points += Math.min(4, own.split(word).length - 1) + (whole.test(own) ? 2 : 0);
    }
    hits.push({ points, page, title, text, href: `${file}#${place}`, words });
  }));
  return hits.sort((a, b) => b.points - a.points);
}

const harmless = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// The text around the first word, with all words marked.
function marked(text, words) {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const from = first < 60 || first === text.length ? 0 : text.indexOf(' ', first - 50) + 1;
  // Whole words only.
  const space = text.lastIndexOf(' ', from + 220);
  const to = from + 220 >= text.length ? text.length : space > from ? space : from + 220;
  const part = text.slice(from, to);
  const any = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi');
  let html = '';
  let end = 0;
  for (const hit of part.matchAll(any)) {
    html += `${harmless(part.slice(end, hit.index))}<mark>${harmless(hit[0])}</mark>`;
    end = hit.index + hit[0].length;
  }
  html += harmless(part.slice(end));
  return (from > 0 ? '… ' : '') + html + (to < text.length ? ' …' : '');
}

function show(query) {
  const MOST = 40;
  const hits = find(pages, query);
  const rows = hits.slice(0, MOST).map((hit) => {
    const title = hit.title === hit.page ? hit.page : `${hit.page}: ${hit.title}`;
    return `<li><a href="${harmless(hit.href)}">${harmless(title)}</a><br>${marked(hit.text, hit.words)}</li>`;
  });
  document.getElementById('found').innerHTML = rows.join('\n');
  const count = hits.length > MOST ? `the best ${MOST} of ${hits.length} places` : `${hits.length} place${hits.length === 1 ? '' : 's'}`;
  document.getElementById('said').textContent = query.trim() === '' ? '' : count;
}

if (typeof document !== 'undefined') {
  const field = document.querySelector('input[type=search]');
  field.value = new URLSearchParams(location.search).get('q') || '';
  field.addEventListener('input', () => show(field.value));
  field.focus();
  show(field.value);
}
