/** Signatures of programs and archives, strict enough not to occur by chance in 100 MB. */

interface Signature {
  magic: Buffer
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
/** No Mach-O file has more processors, and no Java class a higher version. */
const MAX_CPUS_OR_JAVA_VERSION = 100

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

/**
 * Mach-O for several processors, and Java classes, share this signature. The number of processors or the version
 * follows it.
 */
const isFatOrJava = (bytes: Buffer, at: number) =>
  (uint32BE(bytes, at + 4) ?? Infinity) <= MAX_CPUS_OR_JAVA_VERSION

/** If a text only mentions a shebang line, a printable character precedes it. */
const isAtLineStart = (bytes: Buffer, at: number) => !isPrintable(bytes[at - 1])

const PROGRAMS: Signature[] = [
  { magic: latin1('MZ'), isReal: isPortableExecutable },
  { magic: latin1('\u007fELF'), isReal: isElf },
  { magic: hex('cffaedfe'), isReal: isMachO },
  { magic: hex('cefaedfe'), isReal: isMachO },
  { magic: hex('cafebabe'), isReal: isFatOrJava },
  ...['#!/bin/', '#!/usr/', '#! /bin/', '#! /usr/'].map((line) => ({
    magic: latin1(line),
    isReal: isAtLineStart,
  })),
]

/** Not allowed in or after a photo; videos and other pictures are. */
const FORBIDDEN_IN_PHOTOS: Signature[] = [
  {
    magic: latin1('PK\u0003\u0004'),
    isReal: (bytes, at) => bytes[at + 4]! < 64 && bytes[at + 5] === 0,
  },
  { magic: latin1('Rar!\u001a\u0007') },
  { magic: latin1('7z\u00bc\u00af\u0027\u001c') },
  { magic: latin1('\u00fd7zXZ\0') },
  { magic: latin1('MSCF\0\0\0\0') },
  { magic: latin1('ustar\u000000') },
  { magic: latin1('ustar  \0') },
  { magic: hex('d0cf11e0a1b11ae1') },
  { magic: latin1('%PDF-') },
  { magic: latin1('<script') },
  { magic: latin1('<?php') },
]

/** Too short to search for everywhere, so only checked directly after a photo. */
const FORBIDDEN_AFTER_PHOTOS = [hex('1f8b08'), latin1('BZh')]

export const hasProgram = (bytes: Buffer) => PROGRAMS.some((signature) => has(bytes, signature))

export const beginsAsProgram = (bytes: Buffer) =>
  PROGRAMS.some(({ magic, isReal }) => startsWith(bytes, magic) && (!isReal || isReal(bytes, 0)))

export function hasAttachment(photo: Buffer, end: number | undefined): boolean {
  const after = end === undefined ? undefined : photo.subarray(end, end + 4)
  return (
    hasProgram(photo) ||
    FORBIDDEN_IN_PHOTOS.some((signature) => has(photo, signature)) ||
    (after !== undefined && FORBIDDEN_AFTER_PHOTOS.some((magic) => startsWith(after, magic)))
  )
}

const startsWith = (bytes: Buffer, magic: Buffer) => bytes.subarray(0, magic.length).equals(magic)

function has(bytes: Buffer, { magic, isReal }: Signature): boolean {
  for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if (!isReal || isReal(bytes, at)) return true
  }
  return false
}
