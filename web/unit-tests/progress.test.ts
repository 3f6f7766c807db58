// The solved puzzles that this browser remembers.

import { afterEach, expect, test, vi } from 'vitest';
import { progress } from '../src/practice/progress.svelte';
import { load, save } from '../src/storage';

afterEach(() => vi.unstubAllGlobals());

test('tabs keep each other’s solved days', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  progress.solveDaily(20261123);
  save('daily', [20261123, 20261124]);
  progress.solveDaily(20261125);
  expect(load('daily', [])).toEqual([20261123, 20261124, 20261125]);
  expect(progress.solvedDays).toHaveLength(3);
});
