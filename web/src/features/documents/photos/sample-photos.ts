/** JPEGs of 16 by 8 pixels in base64. Red and green are above, blue and white below. */
const colour =
  '/9j/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0dHx8fExciJCIe' +
  'JBweHx7/2wBDAQUFBQcGBw4ICA4eFBEUHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4e' +
  'Hh4eHh4eHh7/wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABwj/xAAbEAABBAMAAAAAAAAA' +
  'AAAAAAAAFhdk4majpP/EABUBAQEAAAAAAAAAAAAAAAAAAAcI/8QAGxEAAgIDAQAAAAAAAAAAAAAAAGQXoqPi4xb/' +
  '2gAMAwEAAhEDEQA/AAZVwN1RDgR/F0FWa0snMvBoMh4rk8+CYrsSpGLVNz//2Q=='

const progressive =
  '/9j/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0dHx8fExciJCIe' +
  'JBweHx7/2wBDAQUFBQcGBw4ICA4eFBEUHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4e' +
  'Hh4eHh4eHh7/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABgf/xAAVAQEBAAAAAAAAAAAA' +
  'AAAAAAAGB//aAAwDAQACEAMQAAABBIVV4nkq/8QAFhABAQEAAAAAAAAAAAAAAAAAABQV/9oACAEBAAEFAqmQ/8QA' +
  'GhEAAgIDAAAAAAAAAAAAAAAAABZjoaLh4v/aAAgBAwEBPwF1hy5FiWtn/8QAGxEAAgEFAAAAAAAAAAAAAAAAAGMV' +
  'FqGi4eL/2gAIAQIBAT8BoJ+PRAsts//EABgQAAIDAAAAAAAAAAAAAAAAAAAyNKGi/9oACAEBAAY/AkskYP/EABYQ' +
  'AAMAAAAAAAAAAAAAAAAAAADw8f/aAAgBAQABPyF5Go//2gAMAwEAAgADAAAAEPv/xAAUEQEAAAAAAAAAAAAAAAAA' +
  'AAAQ/9oACAEDAQE/EDD/AP/EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8QOj//xAAUEAEAAAAAAAAAAAAA' +
  'AAAAAAAQ/9oACAEBAAE/EDP/AP/Z'

const grey =
  '/9j/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0dHx8fExciJCIe' +
  'JBweHx7/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABgj/xAAaEAACAgMAAAAAAAAAAAAAAAAAFmSj' +
  'ZeHi/9oACAEBAAA/ACrdj7uS2V+XXs//2Q=='

const cmyk =
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAFAwQEBAMFBAQEBQUFBgcMCAcHBwcPCwsJDBEPEhIRDxERExYcFxMUGhUR' +
  'ERghGBodHR8fHxMXIiQiHiQcHh8e/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EABgAAAIDAAAAAAAAAAAAAAAAAAAI' +
  'AQQJ/8QAHBAAAQQDAQAAAAAAAAAAAAAAABhnpeQWZaPi/9oADgRDAE0AWQBLAAA/ALq2Gzna4sWE7Ph6IQw6MBYH' +
  'LGOwnZ8PRrQCGHRgLAH/2Q=='

const samplePhotos = { colour, progressive, grey, cmyk }
export type SamplePhoto = keyof typeof samplePhotos

export const sampleBytes = (name: SamplePhoto): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(samplePhotos[name]), (char) => char.charCodeAt(0))

/** As a phone writes it: the sensor's image with an Exif orientation. */
export function photoWithOrientation(
  orientation: number,
  order: 'II' | 'MM' = 'MM',
): Uint8Array<ArrayBuffer> {
  const little = order === 'II'
  const exif = new DataView(new ArrayBuffer(36))
  const text = (at: number, chars: string) => {
    for (let index = 0; index < chars.length; index += 1)
      exif.setUint8(at + index, chars.charCodeAt(index))
  }
  exif.setUint16(0, 0xffe1)
  exif.setUint16(2, exif.byteLength - 2)
  text(4, 'Exif')
  text(10, order)
  exif.setUint16(12, 42, little)
  exif.setUint32(14, 8, little)
  exif.setUint16(18, 1, little)
  exif.setUint16(20, 0x0112, little)
  exif.setUint16(22, 3, little)
  exif.setUint32(24, 1, little)
  exif.setUint16(28, orientation, little)
  const picture = sampleBytes('colour')
  return new Uint8Array([
    ...picture.slice(0, 2),
    ...new Uint8Array(exif.buffer),
    ...picture.slice(2),
  ])
}
