/** Where an address does not fit a line, it goes on after its @. */
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
