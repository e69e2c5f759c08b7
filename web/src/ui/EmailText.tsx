/** Breaks an address that is too long for a line after its @. */
export function EmailText({ children }: { children: string }) {
  const at = children.indexOf('@') + 1
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  )
}
