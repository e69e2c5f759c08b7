import { expect, it } from 'vitest'
import { boundedRun } from './bounded-run.ts'
import type { RunOptions } from './bounded-run.ts'

const MB = 1024 * 1024
const BOUNDS = { memory: 64 * MB, cpuSeconds: 1, longestMs: 20_000 }
const shell = (script: string, options: Partial<RunOptions> = {}) =>
  boundedRun('sh', ['-c', script], { bounds: BOUNDS, startsOthers: true, ...options })

it('gives back what a program says, and how it ends', async () => {
  const ran = await shell('echo out; echo err >&2; exit 3')
  expect(ran).toEqual({ exit: 3, output: 'out\n', errors: 'err\n', isLate: false })
})

it('gives it so much memory and no more', async () => {
  const { errors } = await shell('head -c 200000000 /dev/zero | tail > /dev/null')
  expect(errors).toMatch(/exhausted|cannot allocate/i)
})

it('lets it write no file', async () => {
  expect((await shell('echo text > "$(mktemp)"')).exit).not.toBe(0)
})

it('stops one that works for ever', async () => {
  expect(await shell('while :; do :; done')).toMatchObject({ exit: null, isLate: false })
})

it('stops one that waits for ever, and says so', async () => {
  const ran = await shell('exec tail -f /dev/null', {
    bounds: { ...BOUNDS, longestMs: 100 },
  })
  expect(ran).toMatchObject({ exit: null, isLate: true })
})

it('keeps only the beginning of what it says', async () => {
  const { exit, output } = await shell('head -c 10000000 /dev/zero')
  expect(exit).toBe(0)
  expect(output.length).toBeLessThan(200_000)
})

it('fails, and judges nothing, where the program is not installed', async () => {
  await expect(boundedRun('no-such-program', [], { bounds: BOUNDS })).rejects.toThrow(
    'not installed',
  )
})

it('fails, and judges nothing, where the limits cannot be set', async () => {
  const bounds = { ...BOUNDS, cpuSeconds: Number.NaN }
  await expect(boundedRun('true', [], { bounds })).rejects.toThrow('limits')
})

it('ends a program as soon as it has written enough', async () => {
  const ran = await shell('exec yes', { enoughOutput: 10_000 })
  expect(ran).toMatchObject({ exit: null, isLate: false })
})

it('gives a program the file as its input, and nothing of our environment', async () => {
  const { output } = await shell('env | cut -d= -f1 | sort | tr "\\n" " "')
  expect(output).toBe('LC_ALL MALLOC_ARENA_MAX PATH PWD ')
})
