import { randomBytes } from 'node:crypto'

/** The file headers of programs and archives, followed by random bytes. */

export const windowsProgram = (): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(512), randomBytes(2_000)])
  bytes.write('MZ\u0090', 0, 'latin1')
  bytes.writeUInt32LE(0x80, 60)
  bytes.write('PE\0\0\u0064\u0086', 0x80, 'latin1')
  return bytes
}

export const linuxProgram = (): Buffer =>
  Buffer.concat([Buffer.from('7f454c46020101000000000000000000', 'hex'), randomBytes(2_000)])

export const macProgram = (): Buffer =>
  Buffer.concat([Buffer.from('cffaedfe0c00000100000000', 'hex'), randomBytes(2_000)])

export const shellScript = (): Buffer => Buffer.from('#!/bin/sh\nrm -rf "$HOME"\n')

export const rarArchive = (): Buffer =>
  Buffer.concat([Buffer.from('526172211a0701000000', 'hex'), randomBytes(200)])

export const sevenZipArchive = (): Buffer =>
  Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), randomBytes(200)])
