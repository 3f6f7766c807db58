// The scores in this browser: puzzles solved on the first try, streaks, ratings, the solved puzzles of the day, and how
// far the visitor is in sets of puzzles.

import { load, save } from '../storage';
import { FIRST_RATING, ratingAfter } from '../values/puzzles';

export interface Score {
  solved: number;
  tried: number;
  streak: number;
  /** The longest streak. */
  best: number;
  rating: number;
}

/** How far the visitor is in a set of puzzles. */
export interface SetProgress {
  /** The address of the set. */
  address: string;
  /** The index of the shown puzzle; their number after the last one. */
  at: number;
  /** Whether each puzzle was solved on the first try; null while it is not answered. */
  results: (boolean | null)[];
}

/** The sets that are remembered; the oldest is forgotten first. */
const MAX_SETS = 20;
const SETS = 'sets';

const NONE: Score = { solved: 0, tried: 0, streak: 0, best: 0, rating: FIRST_RATING };

const DAYS = 'daily';

const storedDays = (): number[] => [load<number | number[]>(DAYS, [])].flat();

class Progress {
  /** The days whose puzzles were solved, as numbers such as 20261123. */
  solvedDays = $state.raw(storedDays());

  solveDaily(day: number): void {
    // Another tab may have stored other days.
    this.solvedDays = [...new Set([...this.solvedDays, ...storedDays(), day])];
    save(DAYS, this.solvedDays);
  }

  scoreOf(game: string): Score {
    return { ...NONE, ...load<Partial<Score>>(`puzzles:${game}`, {}) };
  }

  /** The score after a puzzle of a difficulty; `solved` means on the first try. */
  note(game: string, solved: boolean, difficulty: number): Score {
    const score = this.scoreOf(game);
    const streak = solved ? score.streak + 1 : 0;
    return this.keep(game, {
      solved: score.solved + Number(solved),
      tried: score.tried + 1,
      streak,
      best: Math.max(score.best, score.streak, streak),
      rating: ratingAfter(score.rating, difficulty, solved),
    });
  }

  clear(game: string): Score {
    return this.keep(game, NONE);
  }

  setOf(address: string): SetProgress | undefined {
    return load<SetProgress[]>(SETS, []).find((kept) => kept.address === address);
  }

  keepSet(kept: SetProgress): void {
    const others = load<SetProgress[]>(SETS, []).filter(({ address }) => address !== kept.address);
    save(SETS, [kept, ...others].slice(0, MAX_SETS));
  }

  private keep(game: string, score: Score): Score {
    save(`puzzles:${game}`, score);
    return score;
  }
}

export const progress = new Progress();
