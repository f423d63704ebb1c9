// Preloaded with `node --require`: hides /proc, as on macOS and Windows. So no process can check the owner of a lock, and
// one that is suspended for 15 s loses it.
const fs = require('node:fs');

for (const name of ['readlinkSync', 'readFileSync']) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith('/proc/'))
      throw Object.assign(new Error(`ENOENT: no such file or directory, ${name}`), { code: 'ENOENT' });
    return original(path, ...rest);
  };
}
