// Asks a server ten questions with a generated client (argument: its URL) and prints an answer a line.

import { client } from './retrograde/client.gen.js';
import {
  annotate,
  batch,
  game,
  games,
  line,
  position,
  positionInPath,
  rules,
  stats,
} from './retrograde/sdk.gen.js';

client.setConfig({ baseUrl: process.argv[2].replace(/\/$/, '') });
const throwOnError = true as const;
const small = { game: 'touchdown:3x3' };

const known = new Map((await games({ throwOnError })).data.games.map((one) => [one.about.game, one.table]));
const word = (truth?: boolean) => (truth ? 'True' : 'False');
console.log('games', word(known.get('touchdown:3x3')), word(known.get('tactics:6x6')));
const large = await game({ path: { game: 'touchdown:6x6' }, throwOnError });
console.log('game', large.data.about.positions);
console.log('rules', (await rules({ path: { game: 'tactics:3x3' }, throwOnError })).data.examples.length);
const numbers = (await stats({ path: small, throwOnError })).data;
console.log('stats', numbers.positions, numbers.start.outcome, numbers.start.turns);
const probe = (await position({ path: small, query: { limit: 2 }, throwOnError })).data;
console.log('position', probe.outcome, probe.turns, probe.turns_available[0].turn, probe.page?.next);
const inner = await positionInPath({
  path: { game: 'tactics:3x3', position: 'XX_/___/___' },
  throwOnError,
});
console.log('path', inner.data.source, inner.data.turns);
const some = (await batch({ path: small, body: { positions: ['OOO/.../XXX', '?'] }, throwOnError })).data;
console.log('batch', some.answers[0].answer?.outcome, some.answers[1].problem?.type);
const best = (await line({ path: small, query: { limit: 3 }, throwOnError })).data;
console.log('line', best.line.length, best.ends);
const played = (await annotate({ path: small, body: { turns: ['b1b2', 'a1b2'] }, throwOnError })).data;
console.log('annotate', played.turns.length, played.turns[0].turn);
const refused = await position({ path: { game: 'chess' } });
console.log('refused', refused.response?.status, refused.error?.type);
