import Description from '@mui/icons-material/DescriptionOutlined'
import { useEffect, useRef, useState } from 'react'
import { withClass } from '../../ui/with-class.ts'
import css from './Thumbnail.module.css'

const Frame = withClass('span', css['frame'])

/** Twice the largest shown size, for screens with a high density. */
const CANVAS_WIDTH_PX = 176

/** One at a time: a photo of twelve megapixels takes 48 MB while it is scaled down. */
let queue: Promise<unknown> = Promise.resolve()

interface Props {
  file: File
  /** Degrees, clockwise. */
  turn?: number
  large?: boolean
}

/** A small picture of a JPEG; a document icon for anything else. */
export function Thumbnail({ file, turn = 0, large = false }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState(false)

  useEffect(() => {
    if (file.type !== 'image/jpeg' || !('createImageBitmap' in globalThis)) return
    let gone = false
    const draw = async () => {
      const element = canvas.current
      if (gone || element === null) return
      const picture = await createImageBitmap(file, {
        resizeWidth: CANVAS_WIDTH_PX,
        resizeQuality: 'medium',
      })
      element.width = picture.width
      element.height = picture.height
      element.getContext('2d')?.drawImage(picture, 0, 0)
      picture.close()
      if (!gone) setDrawn(true)
    }
    queue = queue.then(draw).catch(() => {})
    return () => {
      gone = true
    }
  }, [file])

  return (
    <Frame aria-hidden data-large={large || undefined}>
      <canvas ref={canvas} hidden={!drawn} style={{ transform: `rotate(${turn}deg)` }} />
      {!drawn && <Description />}
    </Frame>
  )
}
