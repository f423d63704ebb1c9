// For `node -r`: the wall clock is wrong by up to an hour from the start, and jumps every few seconds.
const { seededRandom } = require('../support/seeded-random.cjs');

const { now } = Date;
const random = seededRandom(Number(process.env.SOAK_SEED));
const jump = () => Math.round((random() - 0.5) * 7_200_000);
let offset = jump();
Date.now = () => now() + offset;
setInterval(() => (offset = jump()), 3_000).unref();
