#!/bin/sh
# @nestjs/throttler with two named throttlers, a request over the limit of one of them.
#
# Guess: a 429 has Retry-After, as with one throttler.
# Version: @nestjs/throttler 6.7.1, @nestjs/core 12.5.1
# Behaviour: the name becomes a suffix, also of Retry-After. Clients that wait for Retry-After find none.
# Output: 429 retry-after-short: 60
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error @nestjs/core@12.5.1 @nestjs/common@12.5.1 \
  @nestjs/platform-express@12.5.1 @nestjs/throttler@6.7.1 reflect-metadata@0.2 rxjs@7 > /dev/null
cat > run.js <<'JS'
require('reflect-metadata');
const { Controller, Get, Module } = require('@nestjs/common');
const { APP_GUARD, NestFactory } = require('@nestjs/core');
const { ThrottlerGuard, ThrottlerModule } = require('@nestjs/throttler');
class Pets {
  list() {
    return [];
  }
}
Get()(Pets.prototype, 'list', Object.getOwnPropertyDescriptor(Pets.prototype, 'list'));
Controller()(Pets);
class App {}
const throttlers = [
  { name: 'short', limit: 1, ttl: 60_000 },
  { name: 'long', limit: 100, ttl: 3_600_000 },
];
Module({
  imports: [ThrottlerModule.forRoot(throttlers)],
  controllers: [Pets],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})(App);
void (async () => {
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${app.getHttpServer().address().port}/`;
  await fetch(url);
  const { status, headers } = await fetch(url);
  const named = [...headers].filter(([name]) => /retry|ratelimit/.test(name));
  console.log(status, named.map(([name, value]) => `${name}: ${value}`).join(', '));
  process.exit();
})();
JS
output=$(node run.js)
echo "$output"
[ "$output" = '429 retry-after-short: 60' ]
