import { expect, test } from 'vitest';
import { GameTree, ROOT } from '../src/play/tree';
import { grownTree, writtenTree } from '../src/play/tree-text';
import { readTurns, writeTurns } from '../src/navigation/written-turns';
import { played } from './made';
import { MadeGame } from './made-game';

const START = { position: 'start', toMove: 'first' } as const;
const [A, B, C] = [
  played('a', 'first', 'win 3', 'win 3'),
  played('b', 'second', 'loss 2', 'loss 2'),
  played('c', 'first', 'win 1', 'draw'),
];
const X = played('x', 'second', 'loss 2', 'loss 2');
const Y = played('y', 'first', 'win 1', 'win 1');

const GAME = GameTree.begin(START).with([A, B, C]);
/** A tree with x and y instead of b, shown at its end. */
const BRANCHED = GAME.goTo(1).with([X, Y]).goTo(3);

const names = (tree: GameTree) => tree.turns.map(({ turn }) => turn).join(' ');
const text = (tree: GameTree) => {
  const { turns, at } = writtenTree(tree);
  return `${writeTurns(turns)} @${at}`;
};

test('the shown position follows the place in the game', () => {
  expect(GAME.here).toEqual(START);
  expect(GAME.goTo(2).here).toEqual({ position: 'after b', toMove: 'first' });
  expect(GAME.goTo(-3).here).toEqual(START);
  expect(GAME.goTo(99).atEnd).toBe(true);
  expect(GAME.goTo(2).last?.turn).toBe('b');
});

test('another turn in the middle begins a variation, and nothing is lost', () => {
  expect(names(BRANCHED)).toBe('a x y');
  expect(BRANCHED.onMainLine).toBe(false);
  expect(text(BRANCHED)).toBe('a;b(x;y);c @4');
  expect(names(BRANCHED.backToMainLine())).toBe('a b c');
  expect(BRANCHED.backToMainLine().at).toBe(1);
});

test('an existing turn is reused, not duplicated', () => {
  const again = BRANCHED.goTo(1).with([B]);
  expect(text(again.goTo(2))).toBe('a;b(x;y);c @2');
  expect(names(again)).toBe('a b c');
});

test('going back and forth stays in the shown line', () => {
  expect(names(BRANCHED.goTo(0).goTo(3))).toBe('a x y');
  const c = BRANCHED.mainLineFrom(ROOT).at(-1)!.id;
  expect(names(BRANCHED.visit(c))).toBe('a b c');
  expect(BRANCHED.visit(c).at).toBe(3);
});

test('promoting a variation turns the other line into a variation', () => {
  const promoted = BRANCHED.promoted(BRANCHED.hereId);
  expect(text(promoted)).toBe('a;x(b;c);y @5');
  expect(promoted.onMainLine).toBe(true);
  expect(promoted.promoted(promoted.hereId)).toBe(promoted);
});

test('removing a turn removes all that follow', () => {
  expect(text(BRANCHED.goTo(2).without(BRANCHED.goTo(2).hereId))).toBe('a;b;c @1');
  expect(text(GAME.goTo(2).without(GAME.goTo(2).hereId))).toBe('a @1');
  const main = BRANCHED.mainLineFrom(ROOT)[1]!.id;
  expect(text(BRANCHED.without(main))).toBe('a;x;y @3');
});

test('information on a turn that arrives late is stored, unless the turn has changed', () => {
  const { hereId } = GAME.goTo(3);
  const known = GAME.goTo(3).withKnown(hereId, { ...C, mark: '?' });
  expect(known.last?.mark).toBe('?');
  expect(known.withKnown(hereId, A)).toBe(known);
  expect(known.withKnown(99, C)).toBe(known);
});

test('turns that the page shows are not part of the game until they are played', () => {
  const shown = GAME.goTo(1).with([B], true).goTo(3).with([Y], true);
  expect(text(shown.goTo(4))).toBe('a;b;c;~y @4');
  expect(shown.goTo(3).atEnd).toBe(true);
  expect(shown.goTo(4).atEnd).toBe(false);
  expect(shown.played).toEqual([A, B, C]);
  // Played turns come before shown ones, and playing one makes it part of the game.
  const other = shown.goTo(3).with([X]);
  expect(text(other.goTo(4))).toBe('a;b;c;x(~y) @4');
  const same = other.goTo(3).with([Y]);
  expect(text(same.goTo(4))).toBe('a;b;c;x(y) @5');
  expect(same.goTo(4).atEnd).toBe(true);
});

test('a line of the page does not change the line that was played', () => {
  const shown = GAME.goTo(1).with([X], true).goTo(2);
  expect(shown.here.position).toBe('after x');
  expect(shown.played.map(({ turn }) => turn)).toEqual(['a', 'b', 'c']);
  expect(shown.atEnd).toBe(false);
  expect(GAME.goTo(3).lastId).toBe(shown.lastId);
});

test('a tree from an address has the order in which it was written', async () => {
  MadeGame.use();
  const start = { position: '.', toMove: 'first' } as const;
  for (const written of ['a(b);a', 'a(~b;a);a', '~a(b);a', 'a;b;~b(a;b(~a;b));~a', 'b(a;~b(a);b);a']) {
    const { tree, bad } = await grownTree('made', start, readTurns(written), null);
    expect(bad).toEqual([]);
    expect(writeTurns(writtenTree(tree).turns)).toBe(written);
  }
});

test('repetitions are counted, and a turn that repeats a position has no “!”', () => {
  const to = (text: string, player: 'first' | 'second', position: string) =>
    played(text, player, 'draw', 'draw', {
      position,
      mark: '!',
      comment: 'The only turn that holds the draw.',
    });
  const cycle = [to('p', 'first', 'one'), to('q', 'second', 'start')];
  let tree = GameTree.begin(START).with([...cycle, ...cycle]);
  expect([0, 1, 2, 3, 4].map((at) => tree.goTo(at).timesHere)).toEqual([1, 1, 2, 2, 3]);
  tree.playedLine.forEach(({ id, made }) => (tree = tree.withKnown(id, made!)));
  expect(tree.played.map(({ mark }) => mark)).toEqual(['!', '', '', '']);
  expect(tree.played[1]?.comment).toBe('');
});
