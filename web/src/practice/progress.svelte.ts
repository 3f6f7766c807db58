// The scores in this browser: puzzles solved on the first try, streaks, and the last solved puzzle of a day.

import { load, save } from '../storage';

export interface Score {
  solved: number;
  tried: number;
  streak: number;
  /** The longest streak. */
  best: number;
}

const NONE: Score = { solved: 0, tried: 0, streak: 0, best: 0 };

class Progress {
  /** The last day whose puzzle was solved, as a number such as 20261123. */
  solvedOn = $state(load('daily', 0));

  solveDaily(day: number): void {
    this.solvedOn = day;
    save('daily', day);
  }

  scoreOf(game: string): Score {
    return { ...NONE, ...load<Partial<Score>>(`puzzles:${game}`, {}) };
  }

  /** The score after a puzzle; `solved` means on the first try. */
  note(game: string, solved: boolean): Score {
    const score = this.scoreOf(game);
    const streak = solved ? score.streak + 1 : 0;
    return this.keep(game, {
      solved: score.solved + Number(solved),
      tried: score.tried + 1,
      streak,
      best: Math.max(score.best, score.streak, streak),
    });
  }

  clear(game: string): Score {
    return this.keep(game, NONE);
  }

  private keep(game: string, score: Score): Score {
    save(`puzzles:${game}`, score);
    return score;
  }
}

export const progress = new Progress();
