// A game with its variations: a tree of turns, of which one line is shown up to a place in it. The first
// turn that was made in a position belongs to the main line there, others begin variations. A tree never
// changes: every turn and every jump gives a new one, and no turn is ever lost unless it is removed.

import type { PlayedTurn } from '../api/types';
import { placeAfter, type Place } from '../values/places';

export interface TreeNode {
  readonly id: number;
  /** The node of the turn before; null for the start. */
  readonly parent: number | null;
  /** The turn that leads here; null for the start. */
  readonly made: PlayedTurn | null;
  /** The turns that were made from here, those of the main line first. */
  readonly children: readonly number[];
}

type Nodes = ReadonlyMap<number, TreeNode>;

export const ROOT = 0;

/** A line goes on with the first turn that was made in each position. */
function toLeaf(nodes: Nodes, line: readonly number[]): number[] {
  const whole = [...line];
  for (let next = line.at(-1); next !== undefined; next = nodes.get(next)?.children[0]) {
    if (next !== whole.at(-1)) whole.push(next);
  }
  return whole;
}

/** The ids from the start to a node. */
function pathTo(nodes: Nodes, id: number): number[] {
  const path: number[] = [];
  for (let at: number | null = id; at !== null; at = nodes.get(at)?.parent ?? null) path.unshift(at);
  return path;
}

export class GameTree {
  readonly start: Place;
  /** The turns of the line that is shown, to its end. */
  readonly turns: PlayedTurn[];
  /** How many of these turns are made in the position that is shown. */
  readonly at: number;
  private readonly nodes: Nodes;
  /** The nodes of the line that is shown, from the start to a leaf. */
  private readonly line: readonly number[];

  private constructor(start: Place, nodes: Nodes, line: readonly number[], at: number) {
    this.start = start;
    this.nodes = nodes;
    this.line = toLeaf(nodes, line);
    this.at = Math.max(0, Math.min(at, this.line.length - 1));
    this.turns = this.line.flatMap((id) => nodes.get(id)?.made ?? []);
  }

  static begin(start: Place): GameTree {
    return new GameTree(
      start,
      new Map([[ROOT, { id: ROOT, parent: null, made: null, children: [] }]]),
      [ROOT],
      0,
    );
  }

  /** The position that is shown. */
  get here(): Place {
    return this.placeAt(this.at);
  }

  /** The node of the position that is shown. */
  get hereId(): number {
    return this.idAt(this.at);
  }

  /** The turn that led to the position that is shown. */
  get last(): PlayedTurn | null {
    return this.turns[this.at - 1] ?? null;
  }

  get atEnd(): boolean {
    return this.at === this.turns.length;
  }

  /** Whether the line that is shown is the main one. */
  get onMainLine(): boolean {
    return this.line.every((id) => this.isMain(id));
  }

  /** Whether there is anything beside the line that is shown. */
  get hasVariations(): boolean {
    return this.nodes.size > this.line.length;
  }

  /** The position after so many turns of the line that is shown. */
  placeAt(at: number): Place {
    const made = this.turns[at - 1];
    return made ? placeAfter(made) : this.start;
  }

  idAt(at: number): number {
    return this.line[Math.max(0, Math.min(at, this.line.length - 1))] ?? ROOT;
  }

  node(id: number): TreeNode {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`no turn has the number ${id}`);
    return node;
  }

  /** The nodes after a node, along its main line. */
  mainLineFrom(id: number): TreeNode[] {
    return toLeaf(this.nodes, [id])
      .slice(1)
      .map((next) => this.node(next));
  }

  /** Whether a node is the first choice of the position before it. */
  isMain(id: number): boolean {
    const { parent } = this.node(id);
    return parent === null || this.node(parent).children[0] === id;
  }

  /** How many turns lead to a node. */
  depthOf(id: number): number {
    return pathTo(this.nodes, id).length - 1;
  }

  goTo(at: number): GameTree {
    return new GameTree(this.start, this.nodes, this.line, at);
  }

  /** Shows the position of a node, with the line that leads through it. */
  visit(id: number): GameTree {
    const at = this.line.indexOf(id);
    if (at >= 0) return this.goTo(at);
    const path = pathTo(this.nodes, id);
    return new GameTree(this.start, this.nodes, path, path.length - 1);
  }

  /** Shows the main line from its beginning to the place where this one leaves it. */
  backToMainLine(): GameTree {
    const leaves = this.line.findIndex((id) => !this.isMain(id));
    return leaves < 0 ? this : this.visit(this.idAt(leaves - 1)).onFirstChoices();
  }

  private onFirstChoices(): GameTree {
    return new GameTree(this.start, this.nodes, this.line.slice(0, this.at + 1), this.at);
  }

  /** With turns made from the position that is shown, which stays. Turns that were there are gone along. */
  with(made: PlayedTurn[]): GameTree {
    const nodes = new Map(this.nodes);
    const line = this.line.slice(0, this.at + 1);
    let next = Math.max(...nodes.keys()) + 1;
    for (const turn of made) {
      const parent = nodes.get(line.at(-1) ?? ROOT);
      if (!parent) break;
      const there = parent.children.find((id) => nodes.get(id)?.made?.turn === turn.turn);
      if (there === undefined) {
        nodes.set(next, { id: next, parent: parent.id, made: turn, children: [] });
        nodes.set(parent.id, { ...parent, children: [...parent.children, next] });
      }
      line.push(there ?? next++);
    }
    return new GameTree(this.start, nodes, line, this.at);
  }

  /** With more known of the turn of a node; unless another turn has its number by now. */
  withKnown(id: number, made: PlayedTurn): GameTree {
    const node = this.nodes.get(id);
    if (node?.made?.turn !== made.turn) return this;
    const nodes = new Map(this.nodes).set(id, { ...node, made });
    return new GameTree(this.start, nodes, this.line, this.at);
  }

  /** Without a turn and all that follows it. */
  without(id: number): GameTree {
    const { parent } = this.node(id);
    if (parent === null) return GameTree.begin(this.start);
    const nodes = new Map(this.nodes);
    const remove = (gone: number) => {
      nodes.get(gone)?.children.forEach(remove);
      nodes.delete(gone);
    };
    remove(id);
    const before = this.node(parent);
    nodes.set(parent, { ...before, children: before.children.filter((child) => child !== id) });
    const line = this.line.filter((kept) => nodes.has(kept));
    return new GameTree(this.start, nodes, line, Math.min(this.at, line.length - 1));
  }

  /** With the variation of a node before the line that it was beside. */
  promoted(id: number): GameTree {
    const branch = pathTo(this.nodes, id).findLast((step) => !this.isMain(step));
    if (branch === undefined) return this;
    const parent = this.node(this.node(branch).parent ?? ROOT);
    const children = [branch, ...parent.children.filter((child) => child !== branch)];
    const nodes = new Map(this.nodes).set(parent.id, { ...parent, children });
    return new GameTree(this.start, nodes, this.line, this.at);
  }
}
