// Static hosts for tests: one from a package registry, nginx, and one that simulates faults of hosts and
// networks.

import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sirv from 'sirv';

/** Sites are below a prefix, as on shared hosts. */
const PREFIX = '/~somebody/games/';

const TYPES = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

async function listening(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${PREFIX}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The server `sirv`. */
export function sirvHost(folder) {
  const files = sirv(folder, { dev: true, etag: true });
  return listening(
    createServer((request, response) => {
      const gone = () => response.writeHead(404).end();
      if (!request.url.startsWith(PREFIX)) return gone();
      request.url = request.url.slice(PREFIX.length - 1);
      files(request, response, gone);
    }),
  );
}

const keyDigest = (certificate) =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');

async function freePort() {
  const server = createTcp();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * nginx, with HTTP/2 over TLS and a self-signed certificate; null if it is not installed. With `log` the host reports
 * the requests since the last call, each with its bytes.
 */
export async function nginxHost(folder, { log = false } = {}) {
  const program = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));
  if (!program) return null;
  const room = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const made = spawn(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      join(room, 'key.pem'),
      '-out',
      join(room, 'cert.pem'),
    ],
    { stdio: 'ignore' },
  );
  if ((await new Promise((resolve) => made.on('exit', resolve).on('error', resolve))) !== 0) return null;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${room}/${what};`,
  );
  const types = Object.entries(TYPES).map(([end, type]) => `${type} ${end};`);
  writeFileSync(
    join(room, 'nginx.conf'),
    `daemon off; ${process.getuid() === 0 ? 'user root;' : ''} pid ${room}/pid; error_log ${room}/error.log;
events {}
http { ${log ? `log_format short '$msec $bytes_sent $status $request_uri $http_range'; access_log ${room}/log short;` : 'access_log off;'} ${places.join(' ')} types { ${types.join(' ')} }
  server { listen 127.0.0.1:${port} ssl http2; ssl_certificate ${room}/cert.pem; ssl_certificate_key ${room}/key.pem;
    gzip on; gzip_comp_level 6; gzip_types text/javascript text/css application/json application/wasm;
    location ${PREFIX} { alias ${folder}/; } } }
`,
  );
  const child = spawn(program, ['-c', join(room, 'nginx.conf'), '-p', room], { stdio: 'ignore' });
  // The master process terminates its workers.
  await new Promise((resolve) => setTimeout(resolve, 500));
  let read = 0;
  return {
    url: `https://127.0.0.1:${port}${PREFIX}`,
    /** The digest of its key. A browser must trust the host, or it does not cache anything. */
    key: keyDigest(readFileSync(join(room, 'cert.pem'))),
    log: () => {
      const lines = readFileSync(join(room, 'log'), 'utf8').split('\n').slice(0, -1);
      const fresh = lines.slice(read).map((line) => /^(\S+) (\d+) (\d+) (\S+) (.*)$/.exec(line));
      read = lines.length;
      return fresh.map(([, time, bytes, status, path, range]) => ({
        time: Number(time),
        bytes: Number(bytes),
        status: Number(status),
        path: path.slice(PREFIX.length),
        range,
      }));
    },
    close: () => {
      child.kill('SIGTERM');
      rmSync(room, { recursive: true, force: true });
    },
  };
}

/** A host with faults, which `how` turns on and off: `ranges`, `slow` (milliseconds), `cut` (the number of answers to
 * truncate), `fail` (the number of 503 answers), `damage` (part of a path), `gone` (part of a path), `held` (a promise
 * that answers of tables wait for), `off`. */
export async function faultyHost(folder) {
  const how = {
    ranges: true,
    slow: 0,
    cut: 0,
    fail: 0,
    damage: null,
    gone: null,
    held: null,
    off: false,
    folder,
  };
  const asked = [];
  const host = await listening(
    createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
      const file = join(
        how.folder,
        path.startsWith(PREFIX) ? path.slice(PREFIX.length) || 'index.html' : 'nothing',
      );
      asked.push(`${path.slice(PREFIX.length)} ${request.headers.range ?? ''}`);
      const table = path.includes('/tables/');
      if (how.off) return request.socket.destroy();
      if (!existsSync(file) || !statSync(file).isFile() || (how.gone && path.includes(how.gone)))
        return response.writeHead(404).end();
      const { size } = statSync(file);
      const headers = {
        'content-type': TYPES[file.split('.').pop()] ?? 'application/octet-stream',
        'cache-control': 'no-store',
      };
      let [start, end, status] = [0, size - 1, 200];
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (how.ranges && to !== undefined) {
        [start, end, status] = [Number(from), Math.min(Number(to), end), 206];
        headers['content-range'] = `bytes ${start}-${end}/${size}`;
      }
      headers['content-length'] = end - start + 1;
      if (table && how.fail > 0) {
        how.fail--;
        return response.writeHead(503).end();
      }
      setTimeout(async () => {
        if (table) await how.held;
        response.writeHead(status, headers);
        if (table && how.cut > 0) {
          how.cut--;
          response.write(readFileSync(file).subarray(start, start + (end - start) / 2));
          return setTimeout(() => request.socket.destroy(), 50);
        }
        if (how.damage && path.includes(how.damage)) {
          const bytes = Buffer.from(readFileSync(file).subarray(start, end + 1));
          for (let at = 0; at < bytes.length; at += 64) bytes[at] ^= 0x55;
          return response.end(bytes);
        }
        createReadStream(file, { start, end }).pipe(response);
      }, how.slow);
    }),
  );
  return { ...host, how, asked };
}
