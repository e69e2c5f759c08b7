import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { caseActivityQuery, todoQuery } from '../features/case-progress/case-queries.ts'
import { documentsQuery } from '../features/documents/documents-query.ts'

/** Reads the to-do list and the activity again when the list of documents has changed, as after an upload. */
export function useRefreshAfterUploads(): void {
  const client = useQueryClient()
  const { data: documents } = useQuery({ ...documentsQuery, enabled: false })
  const before = useRef(documents)
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== documents
    before.current = documents
    if (!changed) return
    for (const { queryKey } of [todoQuery, caseActivityQuery]) {
      void client.invalidateQueries({ queryKey })
    }
  }, [documents, client])
}
