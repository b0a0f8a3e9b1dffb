import { bench } from 'tare';

// The text comes from the set-up, so V8 cannot compute the result in advance.
bench('parse/Number', (text) => Number(text), { setup: () => '123456789' });
