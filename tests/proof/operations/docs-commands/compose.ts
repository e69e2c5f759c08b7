import { resolve } from 'node:path'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { readServices } from './compose-file.ts'
import type { ComposeOptions, Service } from './compose-file.ts'
import { PATH } from './machine.ts'
import type { Machine, Result } from './machine.ts'
import { CHECKER_UID, entrypointOf, HOSTS, nativeService, toRepositoryPath } from './services.ts'
import type { NativeService } from './services.ts'

interface Line {
  at: number
  text: string
}
const POSTGRES_OWNER = 999
const HEALTHY = 'proof: healthy'
const SECONDS = { s: 1, m: 60, h: 3600 }

/** Options of `docker compose` and its commands that take a value. */
const WITH_VALUE = new Set([
  '-f',
  '--file',
  '--env-file',
  '--profile',
  '--volume',
  '--signal',
  '-s',
  '--tail',
  '--since',
  '--user',
  '--env',
  '-e',
])
/** The options and the other words of a command, up to `maxWords` words: what follows belongs to another program. */
function split(args: readonly string[], maxWords = Infinity) {
  const options: [string, string][] = []
  const words: string[] = []
  let index = 0
  for (; index < args.length && words.length < maxWords; index += 1) {
    const arg = args[index]!
    if (!arg.startsWith('-')) words.push(arg)
    else if (arg.includes('=')) options.push(arg.split('=', 2) as [string, string])
    else options.push([arg, WITH_VALUE.has(arg) ? args[(index += 1)]! : ''])
  }
  return { options, words, rest: args.slice(index) }
}

/**
 * Runs the commands of `docker compose` that the pages use, without containers: each service is a process of the
 * machine with the user, the environment, the secrets and the mounted files of the compose file. It builds no image,
 * and does not isolate processes or networks. A command or service that it does not know fails.
 */
export class NativeCompose {
  readonly #machine: Machine
  readonly #processes = new Map<string, StackProcess>()
  readonly #logs = new Map<string, Line[]>()
  #services: Record<string, Service> = {}

  constructor(machine: Machine) {
    this.#machine = machine
  }

  async handle(args: string[], input: string): Promise<Result> {
    if (args[0] !== 'compose') throw new Error(`the proof cannot run docker ${args[0]}`)
    const { options, words, rest } = split(args.slice(1), 1)
    const all = (...names: string[]) =>
      options.filter(([name]) => names.includes(name)).map(([, value]) => value)
    const compose: ComposeOptions = {
      files: all('-f', '--file'),
      envFile: all('--env-file')[0],
      profiles: all('--profile'),
    }
    this.#services = readServices(this.#machine.repository, compose)
    const output = await this.#command(words[0] ?? '', rest, compose, input)
    return typeof output === 'string' ? { status: 0, output } : output
  }

  /** Starts services that the pages expect outside of the machine: Salesforce, Box and the mail relay. */
  async startSandboxes(): Promise<void> {
    this.#services = readServices(this.#machine.repository, {
      files: ['deploy/compose.yaml'],
      envFile: 'deploy/trial.env',
      profiles: [],
    })
    for (const name of ['mailbox', 'salesforce', 'box']) await this.#start(name)
  }

  /** The environment of the command line tool, for `npm run admin` in the checkout. */
  adminEnvironment(): Record<string, string> {
    const { admin } = this.#services
    if (!admin) return {}
    const { TMPDIR: _, ...env } = nativeService('admin', admin).env
    return env
  }

  async stop(): Promise<void> {
    for (const process of [...this.#processes.values()].toReversed()) await process.stop()
    this.#processes.clear()
  }

  async #command(
    command: string,
    args: string[],
    compose: ComposeOptions,
    input: string,
  ): Promise<string | Result> {
    const { options, words: names } = split(args)
    const option = (...wanted: string[]) => options.find(([name]) => wanted.includes(name))?.[1]
    switch (command) {
      case 'up':
        await this.#up(names, compose, option('--no-deps') !== undefined)
        return names.map((name) => `Container ${name}  Healthy\n`).join('')
      case 'down': {
        await this.stop()
        if (option('--volumes') !== undefined) await this.#root('rm -rf /volumes')
        return ''
      }
      case 'restart':
        for (const name of names) await this.#started(name).restart()
        return ''
      case 'stop':
        for (const name of names) await this.#started(name).stop()
        return ''
      case 'start':
        for (const name of names) await this.#start(name)
        return ''
      case 'kill':
        for (const name of names) {
          this.#started(name).signal(`SIG${option('--signal', '-s') ?? 'KILL'}` as NodeJS.Signals)
        }
        return ''
      case 'ps':
        return this.#state(names)
      case 'logs':
        return this.#logsOf(names, option('--since'), option('--tail'), option('--no-log-prefix'))
      case 'run':
      case 'exec':
        return this.#execute(command, args, input)
      default:
        throw new Error(`the proof cannot run docker compose ${command}`)
    }
  }

  async #up(names: string[], { profiles }: ComposeOptions, noDeps: boolean): Promise<void> {
    const wanted = names.length > 0 ? names : this.#enabled(profiles)
    const inOrder = noDeps ? wanted : this.#withDependencies(wanted)
    for (const name of inOrder) {
      // A named service is recreated, because its image or configuration may have changed.
      if (names.includes(name)) await this.#processes.get(name)?.stop()
      if (name === 'migrate') {
        const { status, output } = await this.#execute('run', ['migrate'], '')
        if (status !== 0) throw new Error(output)
      } else await this.#start(name)
    }
  }

  #enabled(profiles: string[]): string[] {
    return Object.entries(this.#services)
      .filter(
        ([, service]) => !service.profiles || service.profiles.some((p) => profiles.includes(p)),
      )
      .map(([name]) => name)
  }

  #withDependencies(names: readonly string[]): string[] {
    const found = names.flatMap((name) => {
      const { depends_on: needed = [] } = this.#service(name)
      return [...this.#withDependencies(Array.isArray(needed) ? needed : Object.keys(needed)), name]
    })
    return [...new Set(found)]
  }

  #service(name: string): Service {
    const service = this.#services[name]
    if (!service) throw new Error(`no such service: ${name}`)
    return service
  }

  #started(name: string): StackProcess {
    this.#service(name)
    const process = this.#processes.get(name)
    if (!process) throw new Error(`service ${name} is not running`)
    return process
  }

  async #start(name: string): Promise<void> {
    if (this.#processes.get(name)?.running) return
    const native = nativeService(name, this.#service(name))
    await this.#prepare(name, native)
    const log: Line[] = this.#logs.get(name) ?? []
    this.#logs.set(name, log)
    const probe = `until ${native.probe} >/dev/null 2>&1; do sleep 0.2; done; echo '${HEALTHY}'`
    const process = new StackProcess({
      name,
      program: [...this.#machine.enter] as unknown as [string, ...string[]],
      args: [...asUser(native.uid), 'sh', '-c', `(${probe}) & ${native.start} 2>&1`],
      cwd: '/',
      env: { PATH, LC_ALL: 'C.UTF-8', HOME: '/nonexistent', ...native.env },
      ready: { line: HEALTHY },
      stopTimeoutMs: 60_000,
      log: {
        line: (_, text) => text !== HEALTHY && log.push({ at: Date.now(), text }),
        close: async () => {},
      },
      onUnexpectedExit: (_, how) => log.push({ at: Date.now(), text: `ended: ${how}` }),
    })
    this.#processes.set(name, process)
    await process.start()
  }

  /** Makes the mounted files and volumes available under their paths in the container. */
  async #prepare(name: string, native: NativeService): Promise<void> {
    const links = (this.#service(name).volumes ?? []).flatMap((volume) => {
      const [source = '', target = ''] = volume.split(':')
      // The folder is at its place already.
      if (target === '/guidon/brand') return []
      const isVolume = !/^[./]/.test(source)
      const path = isVolume ? `/volumes/${source}` : resolve('/guidon/deploy', source)
      const owner = ownerOf(source) ?? native.uid
      return [
        isVolume ? `[ -d ${path} ] || install -d -o ${owner} -g ${owner} ${path}` : '',
        `mkdir -p $(dirname ${target})`,
        `[ "$(readlink ${target})" = ${path} ] || { rm -rf ${target} && ln -s ${path} ${target}; }`,
      ]
    })
    const hosts = `printf '%s\\n' '${HOSTS}' > /etc/hosts`
    await this.#root(['set -e', hosts, ...links, native.prepare].join('\n'))
  }

  async #root(script: string): Promise<void> {
    const { status, output } = await this.#machine.run(['sh', '-c', script], {})
    if (status !== 0) throw new Error(`${script}\n${output}`)
  }

  async #execute(command: 'run' | 'exec', args: string[], input: string): Promise<Result> {
    const { options, words, rest } = split(args, 1)
    const name = words[0]!
    const service = this.#service(name)
    const native = nativeService(name, service)
    if (command === 'exec') this.#started(name)
    else {
      const volumes = options.filter(([option]) => option === '--volume').map(([, value]) => value)
      await this.#prepare(name, native)
      for (const [source, target] of volumes.map((volume) => volume.split(':'))) {
        await this.#root(`rm -rf ${target} && ln -s ${source} ${target}`)
      }
      const isAlone = options.some(([option]) => option === '--no-deps')
      const needed = isAlone ? [] : this.#withDependencies([name]).slice(0, -1)
      for (const other of needed) await this.#start(other)
    }
    const commandArgs = rest.length > 0 ? rest : (service.command ?? [])
    const inContainer = command === 'exec' ? rest : [...entrypointOf(service), ...commandArgs]
    const isOurImage = service.image?.startsWith('guidon:')
    const program = isOurImage ? inContainer : inContainer.map(toRepositoryPath)
    return this.#machine.run([...asUser(native.uid), ...program], native.env, input)
  }

  #state(names: string[]): string {
    const shown = names.length > 0 ? names : [...this.#processes.keys()]
    const lines = shown.map((name) => {
      const state = this.#processes.get(name)?.running ? 'Up (healthy)' : 'Exited'
      return `${name.padEnd(20)}${state}`
    })
    return `${['NAME                STATUS', ...lines].join('\n')}\n`
  }

  #logsOf(names: string[], since?: string, tail?: string, noPrefix?: string): string {
    const [, amount = '0', unit = 's'] = /^(\d+)([smh])$/.exec(since ?? '') ?? []
    const from = since ? Date.now() - Number(amount) * SECONDS[unit as 's'] * 1000 : 0
    const shown = (names.length > 0 ? names : [...this.#logs.keys()]).map((name) => {
      this.#service(name)
      const lines = (this.#logs.get(name) ?? []).filter(({ at }) => at >= from)
      return lines
        .slice(tail ? -Number(tail) : 0)
        .map(({ text }) => (noPrefix === undefined ? `${name}  | ${text}\n` : `${text}\n`))
        .join('')
    })
    return shown.join('')
  }
}

/** The owner that a volume gets from the image. */
function ownerOf(source: string): number | undefined {
  if (/^(?:postgres|backup|restore)/.test(source)) return POSTGRES_OWNER
  return source.startsWith('checker') ? CHECKER_UID : undefined
}

const asUser = (uid: number) =>
  uid === 0
    ? []
    : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--']
