/** The name of the files in a form, which are read as they arrive. */
export const creativeFilesField = "creative_files";
