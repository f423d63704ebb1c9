// For `node -r`: the wall clock is wrong by up to an hour from the start, and jumps every few seconds.
const { now } = Date;
const random = () => Math.round((Math.random() - 0.5) * 7_200_000);
let offset = random();
Date.now = () => now() + offset;
setInterval(() => (offset = random()), 3_000).unref();
