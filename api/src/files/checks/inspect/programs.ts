/** Signatures of programs and archives, strict enough not to occur by chance in 100 MB. */

interface Signature {
  begins: Buffer
  isReal?: (bytes: Buffer, at: number) => boolean
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const hex = (digits: string) => Buffer.from(digits, 'hex')

/** Undefined past the end. */
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

/** Mach-O for several processors, and Java classes, share this signature. */
const isFatOrJava = (bytes: Buffer, at: number) =>
  (uint32BE(bytes, at + 4) ?? Infinity) <= LATEST_JAVA

/** A text that mentions the line has a printable character before it. */
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

/** Not allowed in or after a photo; videos and other pictures are. */
const FORBIDDEN_IN_PHOTOS: Signature[] = [
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

/** Too short to search for everywhere, so only checked directly after a photo. */
const FORBIDDEN_AFTER_PHOTOS = [hex('1f8b08'), latin1('BZh')]

export const hasProgram = (bytes: Buffer) => PROGRAMS.some((signature) => has(bytes, signature))

export const beginsAsProgram = (bytes: Buffer) =>
  PROGRAMS.some(({ begins, isReal }) => startsWith(bytes, begins) && (!isReal || isReal(bytes, 0)))

export function hasAttachment(photo: Buffer, end: number | undefined): boolean {
  const after = end === undefined ? undefined : photo.subarray(end, end + 4)
  return (
    hasProgram(photo) ||
    FORBIDDEN_IN_PHOTOS.some((signature) => has(photo, signature)) ||
    (after !== undefined && FORBIDDEN_AFTER_PHOTOS.some((begins) => startsWith(after, begins)))
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
