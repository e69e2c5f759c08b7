import { OutsideLink } from './OutsideLink.tsx'

interface Props {
  title: string
  text: string
  url?: string | undefined
}

/** A text to agree to. Its title is the link to the whole document. */
export function ConsentStatement({ title, text, url }: Props) {
  if (url === undefined) return text
  const link = <OutsideLink href={url}>{title}</OutsideLink>
  const at = text.indexOf(title)
  if (at < 0) {
    return (
      <>
        {text} {link}
      </>
    )
  }
  return (
    <>
      {text.slice(0, at)}
      {link}
      {text.slice(at + title.length)}
    </>
  )
}
