import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

// A folder imports only from earlier folders, so that there are no cycles.
const FOLDERS = [
  'api',
  'values',
  'words',
  'navigation',
  'guest',
  'site',
  'turn-entry',
  'board',
  'play',
  'practice',
  'components',
  'screens',
];
const layers = FOLDERS.map((folder, at) => ({
  files: [`src/${folder}/**`],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [...FOLDERS.slice(at + 1).map((later) => `../${later}/*`), '**/App.svelte'] },
    ],
  },
}));

export default defineConfig(
  { ignores: ['src/api/schema.ts'] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      // TypeScript checks names.
      'no-undef': 'off',
      eqeqeq: 'error',
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      // The page's addresses are hashes, without a router to resolve them.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  layers,
);
