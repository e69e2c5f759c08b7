/** Programs and archives, by what they begin with. Each test is strict enough not to fit by chance in 100 MB. */

interface Signature {
  begins: Buffer
  isReal?: (bytes: Buffer, at: number) => boolean
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const hex = (digits: string) => Buffer.from(digits, 'hex')

/** Past the end reads as nothing. */
const uint32LE = (bytes: Buffer, at: number) =>
  at + 4 <= bytes.length ? bytes.readUInt32LE(at) : undefined
const uint32BE = (bytes: Buffer, at: number) =>
  at + 4 <= bytes.length ? bytes.readUInt32BE(at) : undefined

const isPrintable = (byte: number | undefined) => byte !== undefined && byte >= 0x20 && byte <= 0x7e
const MACH_O_CPUS = new Set([7, 12, 18])
const LATEST_JAVA = 100

function isPortableExecutable(bytes: Buffer, at: number): boolean {
  const header = uint32LE(bytes, at + 60)
  return header !== undefined && uint32LE(bytes, at + header) === 0x00_00_45_50
}

function isElf(bytes: Buffer, at: number): boolean {
  const [bits, order, version] = bytes.subarray(at + 4, at + 7)
  return (bits === 1 || bits === 2) && (order === 1 || order === 2) && version === 1
}

const isMachO = (bytes: Buffer, at: number) =>
  MACH_O_CPUS.has((uint32LE(bytes, at + 4) ?? 0) & 0xff_ff_ff)

/** Programs for several processors, and classes of Java. */
const isFatOrJava = (bytes: Buffer, at: number) =>
  (uint32BE(bytes, at + 4) ?? Infinity) <= LATEST_JAVA

/** In a text that only tells of it, something readable stands before. */
const isAtLineStart = (bytes: Buffer, at: number) => !isPrintable(bytes[at - 1])

const PROGRAMS: Signature[] = [
  { begins: latin1('MZ'), isReal: isPortableExecutable },
  { begins: latin1('\u007fELF'), isReal: isElf },
  { begins: hex('cffaedfe'), isReal: isMachO },
  { begins: hex('cefaedfe'), isReal: isMachO },
  { begins: hex('cafebabe'), isReal: isFatOrJava },
  ...['#!/bin/', '#!/usr/', '#! /bin/', '#! /usr/'].map((line) => ({
    begins: latin1(line),
    isReal: isAtLineStart,
  })),
]

/** What else has no place in or behind a photo; films and further pictures have. */
const BESIDE_PHOTOS: Signature[] = [
  {
    begins: latin1('PK\u0003\u0004'),
    isReal: (bytes, at) => bytes[at + 4]! < 64 && bytes[at + 5] === 0,
  },
  { begins: latin1('Rar!\u001a\u0007') },
  { begins: latin1('7z\u00bc\u00af\u0027\u001c') },
  { begins: latin1('\u00fd7zXZ\0') },
  { begins: latin1('MSCF\0\0\0\0') },
  { begins: latin1('ustar\u000000') },
  { begins: latin1('ustar  \0') },
  { begins: hex('d0cf11e0a1b11ae1') },
  { begins: latin1('%PDF-') },
  { begins: latin1('<script') },
  { begins: latin1('<?php') },
]

/** Too short to be told from chance, but not right behind a photo. */
const RIGHT_BEHIND_PHOTOS = [hex('1f8b08'), latin1('BZh')]

export const hasProgram = (bytes: Buffer) => PROGRAMS.some((signature) => has(bytes, signature))

export const beginsAsProgram = (bytes: Buffer) =>
  PROGRAMS.some(({ begins, isReal }) => startsWith(bytes, begins) && (!isReal || isReal(bytes, 0)))

export function hasAttachment(photo: Buffer, end: number | undefined): boolean {
  const behind = end === undefined ? undefined : photo.subarray(end, end + 4)
  return (
    hasProgram(photo) ||
    BESIDE_PHOTOS.some((signature) => has(photo, signature)) ||
    (behind !== undefined && RIGHT_BEHIND_PHOTOS.some((begins) => startsWith(behind, begins)))
  )
}

const startsWith = (bytes: Buffer, begins: Buffer) =>
  bytes.subarray(0, begins.length).equals(begins)

function has(bytes: Buffer, { begins, isReal }: Signature): boolean {
  for (let at = bytes.indexOf(begins); at !== -1; at = bytes.indexOf(begins, at + 1)) {
    if (!isReal || isReal(bytes, at)) return true
  }
  return false
}
