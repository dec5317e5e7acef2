def f(I):
	O = rot90(
		I,
	)
	return O
