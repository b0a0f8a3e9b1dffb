// Which way to parse a number is faster? `tare run` measures both and says so.
import { bench, group } from 'tare';

group('parse', () => {
  const setup = () => '123456789';
  bench('library', (text) => Number(text), { setup, baseline: true });
  bench('by_hand', (text) => {
    let number = 0;
    for (let at = 0; at < text.length; at++) number = number * 10 + text.charCodeAt(at) - 48;
    return number;
  }, { setup });
});
