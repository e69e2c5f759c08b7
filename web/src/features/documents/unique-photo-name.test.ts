import { expect, it } from 'vitest'
import { uniquePhotoName } from './unique-photo-name.ts'

const takenAt = new Date(2026, 10, 5, 7, 4, 9, 12).getTime()
const file = (name: string) => new File(['x'], name, { type: 'image/jpeg', lastModified: takenAt })

it.each(['image.jpg', 'Image.JPEG'])(
  'renames the camera’s %s after the time it was taken',
  (name) => {
    const renamed = uniquePhotoName(file(name))
    expect(renamed.name).toBe('Photo 2026-11-05 07.04.09.012.jpg')
    expect([renamed.type, renamed.size]).toEqual(['image/jpeg', 1])
  },
)

it.each(['DD-214.pdf', 'image of my knee.jpg'])('leaves %s as it is', (name) => {
  const given = file(name)
  expect(uniquePhotoName(given)).toBe(given)
})
