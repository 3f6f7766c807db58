// Writes a tree of turns for the address, as people see them on the board, and rebuilds it from an address.

import { ApiError } from '../api/backend';
import type { PlayedTurn } from '../api/types';
import { inOrder, type WrittenTurn } from '../navigation/written-turns';
import { errorText } from '../words/games';
import type { Place } from '../values/places';
import { GameTree, ROOT, type TreeNode } from './tree';
import { annotated } from './turns';

export interface WrittenTree {
  turns: WrittenTurn[];
  /** The number of the turn that leads to the shown position, in written order. */
  at: number;
}

export function writtenTree(tree: GameTree): WrittenTree {
  const numbers = new Map<number, number>();
  const written = (node: TreeNode): WrittenTurn => {
    numbers.set(node.id, numbers.size + 1);
    const siblings = tree.node(node.parent ?? ROOT).children;
    const others = siblings[0] === node.id ? siblings.slice(1) : [];
    return { turn: node.made?.turn_on_board ?? '', demo: node.demo, others: others.map((id) => line(id)) };
  };
  const line = (id: number) => [tree.node(id), ...tree.mainLineFrom(id)].map(written);
  const turns = tree.mainLineFrom(ROOT).map(written);
  return { turns, at: numbers.get(tree.hereId) ?? 0 };
}

/** A turn that could not be read, with what followed it. */
export interface BadTurn {
  turn: string;
  reason: string;
}

export interface GrownTree {
  tree: GameTree;
  bad: BadTurn[];
}

/** The legal turns at the start of a line, and what is wrong with the next one. */
async function goodTurns(
  game: string,
  from: Place,
  turns: string[],
): Promise<{ made: PlayedTurn[]; reason: string }> {
  try {
    return { made: await annotated(game, from, turns, 'board'), reason: '' };
  } catch (error) {
    const reason = errorText(error);
    // The problem names the turn: "turn 3 “a1a9”: there is no …", in older modules "turn 3: turn “a1a9”: …".
    const number = Number(/^turn (\d+)\b/.exec(reason)?.[1] ?? 0);
    const bad = error instanceof ApiError && error.status === 400 && number > 0 && number <= turns.length;
    if (!bad) throw error;
    const good = turns.slice(0, number - 1);
    const made = good.length > 0 ? await annotated(game, from, good, 'board') : [];
    return { made, reason: reason.replace(/^turn \d+(: turn)? “[^”]*”: /, '') };
  }
}

/** Plays the written turns; lines end before an illegal turn. */
export async function grownTree(
  game: string,
  start: Place,
  written: WrittenTurn[],
  at: number | null,
): Promise<GrownTree> {
  const ids = new Map<WrittenTurn, number>();
  const bad: BadTurn[] = [];
  let tree = GameTree.begin(start);
  const grow = async (from: number, line: WrittenTurn[]): Promise<void> => {
    tree = tree.visit(from);
    const { made, reason } = await goodTurns(
      game,
      tree.here,
      line.map(({ turn }) => turn),
    );
    const failed = line[made.length];
    if (failed) bad.push({ turn: failed.turn, reason });
    const path = [from];
    for (const [number, turn] of made.entries()) {
      const one = line[number];
      tree = tree.with([turn], one?.demo);
      tree = tree.goTo(tree.at + 1);
      path.push(tree.hereId);
      if (one) ids.set(one, tree.hereId);
    }
    for (const [number, { others }] of line.slice(0, path.length).entries()) {
      for (const other of others) await grow(path[number] ?? from, other);
      // Played turns come before one that the page showed, unless that was promoted.
      const main = path[number + 1];
      if (others.length > 0 && main !== undefined && !tree.isMain(main)) tree = tree.promoted(main);
    }
  };
  if (written.length > 0) await grow(ROOT, written);
  const order = inOrder(written);
  const wanted =
    at === 0 ? undefined : at === null ? written.findLast((turn) => ids.has(turn)) : order[at - 1];
  return { tree: tree.visit(wanted ? (ids.get(wanted) ?? lastBefore(order, wanted, ids)) : ROOT), bad };
}

/** The last legal turn before a turn that could not be played. */
function lastBefore(order: WrittenTurn[], wanted: WrittenTurn, ids: Map<WrittenTurn, number>): number {
  const before = order.slice(0, order.indexOf(wanted)).findLast((turn) => ids.has(turn));
  return before ? (ids.get(before) ?? ROOT) : ROOT;
}
