/** The build lists the files in an element with this id. */
export const LATER_FILES_ELEMENT = 'later-files'

interface LaterFiles {
  all: string[]
  staff: string[]
}

/** The files of the screens that are opened later. None in development, where nothing is built. */
export function laterFiles(): LaterFiles {
  const listed = document.getElementById(LATER_FILES_ELEMENT)?.textContent
  return listed ? (JSON.parse(listed) as LaterFiles) : { all: [], staff: [] }
}
