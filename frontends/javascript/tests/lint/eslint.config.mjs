import { createRequire } from 'node:module';

const require = createRequire(`${process.env.TARE_LINT}/`);
const js = require('@eslint/js');
const globals = require('globals');

const rules = {
  ...js.configs.recommended.rules,
  eqeqeq: 'error',
  // Constants are written as they are published.
  'no-loss-of-precision': 'off',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
};

export default [
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs', globals: globals.node }, rules },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module', globals: globals.node }, rules },
];
