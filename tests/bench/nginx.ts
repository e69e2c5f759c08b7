import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { noLog } from '@guidon/sandbox/stack/logs'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'

/** One nginx process that serves a folder with its compressed files, and sends the API's caching headers. */
export async function startNginx(folder: string) {
  const dir = mkdtempSync(join(tmpdir(), 'guidon-nginx-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; master_process off; pid ${dir}/pid; error_log stderr;
     events { worker_connections 1024; }
     http {
       types { text/html html; text/css css; text/javascript js; font/woff2 woff2; }
       access_log off; sendfile on; tcp_nopush on; gzip_static on; keepalive_requests 10000000;
       open_file_cache max=1000;
       server {
         listen 127.0.0.1:${port}; root ${folder};
         add_header Cache-Control "public, max-age=31536000, immutable"; add_header Vary accept-encoding;
       }
     }`,
  )
  const nginx = new StackProcess({
    name: 'nginx',
    program: ['nginx'],
    args: ['-e', 'stderr', '-p', dir, '-c', join(dir, 'nginx.conf')],
    cwd: dir,
    env: process.env,
    ready: { url: base },
    stopTimeoutMs: 10_000,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
  await nginx.start()
  return {
    base,
    pid: nginx.pid!,
    close: async () => {
      await nginx.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
