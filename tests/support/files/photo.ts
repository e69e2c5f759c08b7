import sharp from 'sharp'

const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
const background = '#345'

export const photo = (width = 640, height = 480) =>
  sharp({ create: { width, height, channels: 3, background, noise } })

export const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background } })
