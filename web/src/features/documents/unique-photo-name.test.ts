import { expect, it } from 'vitest'
import { uniquePhotoName } from './unique-photo-name.ts'

const taken = new Date(2026, 10, 5, 7, 4, 9, 12).getTime()
const file = (name: string) => new File(['x'], name, { type: 'image/jpeg', lastModified: taken })

it.each(['image.jpg', 'Image.JPEG'])(
  'renames the camera’s %s after the time it was taken',
  (name) => {
    const own = uniquePhotoName(file(name))
    expect(own.name).toBe('Photo 2026-11-05 07.04.09.012.jpg')
    expect([own.type, own.size]).toEqual(['image/jpeg', 1])
  },
)

it.each(['DD-214.pdf', 'image of my knee.jpg'])('leaves %s as it is', (name) => {
  const given = file(name)
  expect(uniquePhotoName(given)).toBe(given)
})
