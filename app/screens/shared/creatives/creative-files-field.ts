/** The name of the form's file field; the files are read as they arrive. */
export const creativeFilesField = "creative_files";
