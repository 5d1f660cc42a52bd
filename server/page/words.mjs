// Words for people: counts, sizes, times, nearest names, places in a text.

// nearest is the name that somebody may have meant, null when none is near: it differs
// in case, or by at most a third of its letters.
export function nearest(word, names) {
  const folded = word.toLowerCase();
  let best = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const other = name.toLowerCase();
    const far = other === folded ? 0 : distance(folded, other, least);
    if (far < least) {
      best = name;
      least = far;
    }
  }
  return best ?? within(folded, names);
}

// within is the one name that begins with the word, or ends with it.
function within(word, names) {
  if (word.length < 3) return null;
  const fits = [];
  for (const name of names) {
    const other = name.toLowerCase();
    if (other.startsWith(word) || other.endsWith(word)) fits.push(name);
    if (fits.length > 1) return null;
  }
  return fits[0] ?? null;
}

// distance is the number of letters to add, remove, replace or swap with the next, or
// limit when it is not below that.
export function distance(a, b, limit) {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    before = last;
    last = row;
  }
  return Math.min(last[b.length], limit);
}

const number = new Intl.NumberFormat('en');

// count is a number of things: "1 error", "2,000 errors".
export const count = (n, one, many = `${one}s`) => `${number.format(n)} ${n === 1 ? one : many}`;

// size is a number of bytes for people.
export function size(bytes) {
  if (bytes < 1000) return count(bytes, 'byte');
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

// duration is a number of milliseconds for people.
export const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

// placeOf is the line and column of an offset, both from 1.
export function placeOf(text, offset) {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

// offsetOf is the offset of a line and column, within the text.
export function offsetOf(text, line, column) {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return Math.min(text.length, at + Math.max(0, column - 1));
}

// shorten cuts a text that is too long for its place.
export function shorten(text, limit) {
  const points = [...text.slice(0, 2 * limit)];
  return points.length > limit ? `${points.slice(0, limit - 1).join('')}…` : text;
}
