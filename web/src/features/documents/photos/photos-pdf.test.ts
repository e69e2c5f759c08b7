import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { cleanPhoto } from './clean-photo.ts'
import { readJpegInfo, UnusablePhoto } from './jpeg-info.ts'
import { pageSize, photosPdf, type Turn } from './photos-pdf.ts'
import { photoWithOrientation, sampleBytes, type SamplePhoto } from './sample-photos.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-photos-'))
afterAll(() => rmSync(folder, { recursive: true }))

const blob = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: 'image/jpeg' })

async function page(bytes: Uint8Array<ArrayBuffer>, turn: Turn = 0) {
  const photo = blob(bytes)
  return { photo, info: await readJpegInfo(photo), turn }
}

async function savePdf(pages: Awaited<ReturnType<typeof page>>[]): Promise<string> {
  const path = join(folder, 'joined.pdf')
  writeFileSync(path, new Uint8Array(await photosPdf(pages).arrayBuffer()))
  return path
}

/** The colours of a page's corners, as a PDF reader renders it. */
function corners(path: string, number = 1) {
  const image = execFileSync('pdftoppm', ['-r', '6', '-f', `${number}`, '-l', `${number}`, path])
  const [, width, height] = /^P6\s(\d+) (\d+)\s255\s/.exec(image.toString('latin1'))!.map(Number)
  const pixels = image.subarray(image.length - width! * height! * 3)
  const colour = (x: number, y: number) => {
    const at = (Math.floor(y * height!) * width! + Math.floor(x * width!)) * 3
    const rgb = [...pixels.subarray(at, at + 3)]
    if (rgb.every((value) => value > 200)) return 'white'
    // Compare only the strongest component, because a green from CMYK also contains much red.
    return ['red', 'green', 'blue'][rgb.indexOf(Math.max(...rgb))]
  }
  const [near, far] = [0.2, 0.8]
  return {
    wide: width! > height!,
    'top left': colour(near, near),
    'top right': colour(far, near),
    'bottom left': colour(near, far),
    'bottom right': colour(far, far),
  }
}

const cornersOfSample = {
  wide: true,
  'top left': 'red',
  'top right': 'green',
  'bottom left': 'blue',
  'bottom right': 'white',
}

it('joins many photos into one valid PDF, one page each', async () => {
  const pages = await Promise.all(Array.from({ length: 12 }, () => page(sampleBytes('colour'))))
  const path = await savePdf(pages)
  expect(execFileSync('qpdf', ['--check', path]).toString()).toContain('No syntax or stream')
  const info = execFileSync('pdfinfo', [path]).toString()
  expect(info).toMatch(/^Pages:\s+12$/m)
  expect(info).toMatch(/^Encrypted:\s+no$/m)
})

it('embeds each photo byte for byte', async () => {
  const path = await savePdf([
    await page(sampleBytes('colour')),
    await page(photoWithOrientation(6)),
  ])
  const whole = readFileSync(path)
  for (const bytes of [sampleBytes('colour'), photoWithOrientation(6)])
    expect(whole.includes(Buffer.from(bytes))).toBe(true)
})

it.each<SamplePhoto>(['colour', 'progressive', 'cmyk'])(
  'shows the colours of a %s photo',
  async (name) => {
    expect(corners(await savePdf([await page(sampleBytes(name))]))).toEqual(cornersOfSample)
  },
)

it('embeds a grey photo', async () => {
  const grey = await page(sampleBytes('grey'))
  expect(grey.info.components).toBe(1)
  expect(corners(await savePdf([grey]))['bottom right']).toBe('white')
})

// On which side the first row and the first column of the stored image belong, by the Exif standard.
it.each([
  [1, 'top', 'left'],
  [2, 'top', 'right'],
  [3, 'bottom', 'right'],
  [4, 'bottom', 'left'],
  [5, 'left', 'top'],
  [6, 'right', 'top'],
  [7, 'right', 'bottom'],
  [8, 'left', 'bottom'],
])('shows a photo with the orientation %i upright', async (orientation, row, column) => {
  const cornerOf = (...sides: string[]) =>
    sides.toSorted((side) => (/top|bottom/.test(side) ? -1 : 1)).join(' ')
  const opposite: Record<string, string> = {
    top: 'bottom',
    bottom: 'top',
    left: 'right',
    right: 'left',
  }
  for (const order of ['II', 'MM'] as const) {
    expect(corners(await savePdf([await page(photoWithOrientation(orientation, order))]))).toEqual({
      wide: row === 'top' || row === 'bottom',
      [cornerOf(row, column)]: 'red',
      [cornerOf(row, opposite[column]!)]: 'green',
      [cornerOf(opposite[row]!, column)]: 'blue',
      [cornerOf(opposite[row]!, opposite[column]!)]: 'white',
    })
  }
})

it('turns a page clockwise, in addition to the orientation', async () => {
  const turned = await savePdf([
    await page(sampleBytes('colour'), 90),
    await page(photoWithOrientation(6), 270),
    await page(photoWithOrientation(3), 180),
  ])
  expect(corners(turned)).toMatchObject({ wide: false, 'top right': 'red', 'top left': 'blue' })
  expect(corners(turned, 2)).toEqual(cornersOfSample)
  expect(corners(turned, 3)).toEqual(cornersOfSample)
})

it('contains no metadata of a photo, such as where it was taken', async () => {
  const bytes = photoWithOrientation(6)
  const comment = [0xff, 0xfe, 0, 13, ...new TextEncoder().encode('PLANTED-GPS')]
  const commented = new Uint8Array([
    ...bytes.slice(0, 2),
    ...comment,
    ...bytes.slice(2),
    ...comment,
  ])
  const photo = (await cleanPhoto(new File([commented], 'photo.jpg')))!
  const path = await savePdf([{ photo, info: await readJpegInfo(photo), turn: 0 }])
  expect(readFileSync(path).includes('PLANTED')).toBe(false)
  expect(corners(path)).toMatchObject({ wide: false, 'top right': 'red' })
})

it('makes a page with the proportions of the photo, as large as fits on a letter sheet', () => {
  expect(pageSize({ width: 3000, height: 4000 })).toEqual({ width: 594, height: 792 })
  expect(pageSize({ width: 4000, height: 3000 })).toEqual({ width: 792, height: 594 })
  expect(pageSize({ width: 1000, height: 1000 })).toEqual({ width: 612, height: 612 })
})

it('refuses a photo that cannot become a page', async () => {
  const colour = sampleBytes('colour')
  const frame = colour.findIndex((byte, at) => byte === 0xff && colour[at + 1] === 0xc0)
  const changed = (offset: number, value: number) => colour.with(frame + offset, value)
  for (const bytes of [
    sampleBytes('colour').slice(0, 20),
    new Uint8Array([0x25, 0x50, 0x44, 0x46]),
    changed(1, 0xc9), // Arithmetic coding.
    changed(4, 12), // 12 bits per component.
    changed(9, 2), // Two components.
  ]) {
    await expect(readJpegInfo(blob(bytes))).rejects.toThrow(UnusablePhoto)
  }
})
