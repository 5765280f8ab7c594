return {
  { query = 'dml.slice1:examples where example == "2"', reason = "reads a reversed window from the wrong end",
    owner = "kim", link = "https://bugs.example/123", expires = "2099-12-31" },
}
