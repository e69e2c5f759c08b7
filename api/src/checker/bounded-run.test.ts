import { expect, it } from 'vitest'
import { boundedRun } from './bounded-run.ts'
import type { RunOptions } from './bounded-run.ts'

const MB = 1024 * 1024
const BOUNDS = { memory: 64 * MB, cpuSeconds: 1, timeoutMs: 20_000 }
const shell = (script: string, options: Partial<RunOptions> = {}) =>
  boundedRun('sh', ['-c', script], { bounds: BOUNDS, mayStartProcesses: true, ...options })

it('returns the output and the exit code of a program', async () => {
  const result = await shell('echo out; echo err >&2; exit 3')
  expect(result).toEqual({ exit: 3, output: 'out\n', errors: 'err\n', timedOut: false })
})

it('limits the memory', async () => {
  const { errors } = await shell('head -c 200000000 /dev/zero | tail > /dev/null')
  expect(errors).toMatch(/exhausted|cannot allocate/i)
})

it('forbids writing files', async () => {
  expect((await shell('echo text > "$(mktemp)"')).exit).not.toBe(0)
})

it('stops a program that uses too much CPU time', async () => {
  expect(await shell('while :; do :; done')).toMatchObject({ exit: null, timedOut: false })
})

it('stops a program that takes too long, and reports it', async () => {
  const result = await shell('exec tail -f /dev/null', {
    bounds: { ...BOUNDS, timeoutMs: 100 },
  })
  expect(result).toMatchObject({ exit: null, timedOut: true })
})

it('keeps only the beginning of the output', async () => {
  const { exit, output } = await shell('head -c 10000000 /dev/zero')
  expect(exit).toBe(0)
  expect(output.length).toBeLessThan(200_000)
})

it('throws if the program is not installed', async () => {
  await expect(boundedRun('no-such-program', [], { bounds: BOUNDS })).rejects.toThrow(
    'not installed',
  )
})

it('throws if the limits cannot be set', async () => {
  const bounds = { ...BOUNDS, cpuSeconds: Number.NaN }
  await expect(boundedRun('true', [], { bounds })).rejects.toThrow('limits')
})

it('ends a program as soon as it has written enough output', async () => {
  const result = await shell('exec yes', { enoughOutput: 10_000 })
  expect(result).toMatchObject({ exit: null, timedOut: false })
})

it('does not pass our environment to the program', async () => {
  const { output } = await shell('env | cut -d= -f1 | sort | tr "\\n" " "')
  expect(output).toBe('LC_ALL MALLOC_ARENA_MAX PATH PWD ')
})
