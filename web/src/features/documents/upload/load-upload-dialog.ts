export const loadUploadDialog = () => import('./UploadDialog.tsx')
