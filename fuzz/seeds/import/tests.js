// Three tests in the form that web-platform-tests has.
const tests = [
  {
    name: 'every other column',
    graph: {
      inputs: {
        input: { data: [1, 2, 3, 4, 5, 6], descriptor: { shape: [2, 3], dataType: 'float32' } },
      },
      operators: [{
        name: 'slice',
        arguments: [{ input: 'input' }, { starts: [0, 0] }, { sizes: [2, 3] }, { options: { strides: [1, 2] } }],
        outputs: 'output',
      }],
      expectedOutputs: { output: { data: [1, 3, 4, 6], descriptor: { shape: [2, 2], dataType: 'float32' } } },
    },
  },
  {
    name: 'an index from the end, expected as if it were 1',
    graph: {
      inputs: {
        input: { data: [10, 20, 30], descriptor: { shape: [3], dataType: 'float16' } },
        indices: { data: [-1], descriptor: { shape: [], dataType: 'int32' } },
      },
      operators: [{ name: 'gather', arguments: [{ input: 'input' }, { indices: 'indices' }], outputs: 'output' }],
      expectedOutputs: { output: { data: [20], descriptor: { shape: [], dataType: 'float16' } } },
    },
  },
  {
    name: 'relu',
    graph: {
      inputs: { input: { data: [-1], descriptor: { shape: [], dataType: 'float32' } } },
      operators: [{ name: 'relu', arguments: [{ input: 'input' }], outputs: 'output' }],
      expectedOutputs: { output: { data: [0], descriptor: { shape: [], dataType: 'float32' } } },
    },
  },
];
