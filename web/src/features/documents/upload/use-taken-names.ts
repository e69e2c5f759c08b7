import { useQuery } from '@tanstack/react-query'
import { documentsQuery } from '../documents-query.ts'
import { useUploadsState } from './uploads.ts'

/** The names of the documents and of the picked files. */
export function useTakenNames(): string[] {
  const { data = [] } = useQuery({ ...documentsQuery, refetchOnMount: false })
  const picked = useUploadsState((state) => state.picked)
  return [...data, ...picked].map(({ name }) => name)
}
